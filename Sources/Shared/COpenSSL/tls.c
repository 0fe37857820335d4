#include "COpenSSL.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// The name that the other end must have, and how it fails. OpenSSL sees only memory: the caller moves the bytes.
struct cssl_client {
    SSL_CTX *context;
    SSL *connection;
    /// What has arrived and is still encrypted, and what is to be sent.
    BIO *arrived, *leaving;
    int is_address;
    char *name;
    char trouble[768];
};

/// Keeps the first error of OpenSSL's queue as the trouble, unless something better is known, and empties the queue.
static void note_error(cssl_client *client, const char *otherwise) {
    const unsigned long code = ERR_get_error();
    if (client->trouble[0] == 0) {
        const char *reason = code != 0 ? ERR_reason_error_string(code) : NULL;
        snprintf(client->trouble, sizeof client->trouble, "%s", reason != NULL ? reason : otherwise);
    }
    ERR_clear_error();
}

static void write_time(const ASN1_TIME *moment, char *text, size_t size) {
    struct tm parts;
    if (ASN1_TIME_to_tm(moment, &parts) != 1 || strftime(text, size, "%Y-%m-%d %H:%M", &parts) == 0) {
        snprintf(text, size, "?");
    }
}

/// The DNS names of a certificate, or its subject where it has none.
static void write_names(X509 *certificate, char *text, size_t size) {
    text[0] = 0;
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        if (name->type != GEN_DNS) continue;
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%.*s", used ? ", " : "", ASN1_STRING_length(name->d.dNSName),
                 (const char *)ASN1_STRING_get0_data(name->d.dNSName));
    }
    GENERAL_NAMES_free(names);
    if (text[0] == 0) X509_NAME_oneline(X509_get_subject_name(certificate), text, (int)size);
}

static void note_certificate(cssl_client *client, X509_STORE_CTX *chain) {
    char names[256] = "nobody", from[32] = "?", until[32] = "?", now[32] = "?";
    X509 *certificate = X509_STORE_CTX_get_current_cert(chain);
    if (certificate == NULL) certificate = X509_STORE_CTX_get0_cert(chain);
    if (certificate != NULL) {
        write_names(certificate, names, sizeof names);
        write_time(X509_get0_notBefore(certificate), from, sizeof from);
        write_time(X509_get0_notAfter(certificate), until, sizeof until);
    }
    time_t seconds = time(NULL);
    struct tm parts;
    if (gmtime_r(&seconds, &parts) != NULL) strftime(now, sizeof now, "%Y-%m-%d %H:%M", &parts);
    snprintf(client->trouble, sizeof client->trouble,
             "certificate verify failed, %s: wanted %s, the certificate is for %s and valid from %s until %s UTC; "
             "this machine's clock says %s UTC",
             X509_verify_cert_error_string(X509_STORE_CTX_get_error(chain)), client->name, names, from, until, now);
    for (char *c = client->trouble; *c; c++) {
        if ((unsigned char)*c < 0x20) *c = ' ';
    }
}

static int verify(X509_STORE_CTX *chain, void *object) {
    int is_good = X509_verify_cert(chain) == 1;
    if (!is_good) note_certificate(object, chain);
    return is_good;
}

/// Sets the name that the certificate must carry (RFC 6125), and the one that is asked for (SNI, RFC 6066).
static int expect_name(cssl_client *client) {
    X509_VERIFY_PARAM *rules = SSL_get0_param(client->connection);
    if (client->is_address) return X509_VERIFY_PARAM_set1_ip_asc(rules, client->name);
    return X509_VERIFY_PARAM_set1_host(rules, client->name, 0)
        && SSL_set_tlsext_host_name(client->connection, client->name);
}

static int load(cssl_client *client, const char *ca, const char *certificate, const char *key) {
    SSL_CTX *context = client->context;
    const int trusts = ca != NULL ? SSL_CTX_load_verify_file(context, ca) : SSL_CTX_set_default_verify_paths(context);
    if (trusts != 1) return note_error(client, "the CA certificates cannot be read"), 0;
    if (certificate != NULL && SSL_CTX_use_certificate_chain_file(context, certificate) != 1) {
        return note_error(client, "the certificate cannot be read"), 0;
    }
    if (key != NULL && SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) != 1) {
        return note_error(client, "the key cannot be read"), 0;
    }
    if (key != NULL && SSL_CTX_check_private_key(context) != 1) {
        return note_error(client, "the key does not belong to the certificate"), 0;
    }
    return 1;
}

cssl_client *cssl_client_new(const char *name, const char *ca, const char *certificate, const char *key) {
    ERR_clear_error();
    cssl_client *client = calloc(1, sizeof *client);
    if (client == NULL) return NULL;
    client->name = strdup(name);
    client->context = SSL_CTX_new(TLS_client_method());
    if (client->name == NULL || client->context == NULL) return cssl_client_free(client), NULL;
    ASN1_OCTET_STRING *address = a2i_IPADDRESS(name);
    client->is_address = address != NULL;
    ASN1_OCTET_STRING_free(address);
    // Parsing a name as an address fails and leaves an error in the queue, which would be taken for the connection's.
    ERR_clear_error();
    SSL_CTX_set_min_proto_version(client->context, TLS1_2_VERSION);
    SSL_CTX_set_verify(client->context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_cert_verify_callback(client->context, verify, client);
    if (!load(client, ca, certificate, key)) return client;
    client->connection = SSL_new(client->context);
    client->arrived = BIO_new(BIO_s_mem());
    client->leaving = BIO_new(BIO_s_mem());
    if (client->connection == NULL || client->arrived == NULL || client->leaving == NULL) {
        BIO_free(client->arrived);
        BIO_free(client->leaving);
        return cssl_client_free(client), NULL;
    }
    // An empty buffer means "later", and no end.
    BIO_set_mem_eof_return(client->arrived, -1);
    // The connection owns both from here on.
    SSL_set_bio(client->connection, client->arrived, client->leaving);
    SSL_set_connect_state(client->connection);
    SSL_set_mode(client->connection, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    if (expect_name(client) != 1) note_error(client, "the broker's name cannot be used");
    return client;
}

void cssl_client_free(cssl_client *client) {
    if (client == NULL) return;
    SSL_free(client->connection);
    SSL_CTX_free(client->context);
    free(client->name);
    free(client);
}

const char *cssl_client_trouble(const cssl_client *client) { return client->trouble[0] != 0 ? client->trouble : NULL; }

/// What became of a call that moved nothing.
static int outcome(cssl_client *client, int result) {
    switch (SSL_get_error(client->connection, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return 0;
    case SSL_ERROR_ZERO_RETURN: return CSSL_CLOSED;
    default: note_error(client, "the connection failed"); return CSSL_FAILED;
    }
}

int cssl_client_read(cssl_client *client, void *bytes, int count) {
    ERR_clear_error();
    const int result = SSL_read(client->connection, bytes, count);
    return result > 0 ? result : outcome(client, result);
}

int cssl_client_write(cssl_client *client, const void *bytes, int count) {
    ERR_clear_error();
    const int result = SSL_write(client->connection, bytes, count);
    return result > 0 ? result : outcome(client, result);
}

int cssl_client_is_agreed(const cssl_client *client) {
    return client->connection != NULL && SSL_is_init_finished(client->connection);
}

void cssl_client_end(cssl_client *client) {
    if (!cssl_client_is_agreed(client)) return;
    ERR_clear_error();
    SSL_shutdown(client->connection);
    ERR_clear_error();
}

int cssl_client_arrived(cssl_client *client, const void *bytes, int count) {
    return BIO_write(client->arrived, bytes, count) == count;
}

int cssl_client_leaving(cssl_client *client, void *bytes, int count) {
    const int result = BIO_read(client->leaving, bytes, count);
    return result > 0 ? result : 0;
}

long long cssl_expiry(const char *path, int lasts_longest) {
    BIO *file = BIO_new_file(path, "r");
    if (file == NULL) return -1;
    long long expiry = -1;
    for (X509 *one; (one = PEM_read_bio_X509(file, NULL, NULL, NULL)) != NULL; X509_free(one)) {
        struct tm parts;
        if (ASN1_TIME_to_tm(X509_get0_notAfter(one), &parts) != 1) continue;
        const long long end = timegm(&parts);
        if (expiry < 0 || (lasts_longest && end > expiry)) expiry = end;
    }
    BIO_free(file);
    // At the end of the file the PEM reader leaves an error in the queue, which would be taken for the connection's.
    ERR_clear_error();
    return expiry;
}
