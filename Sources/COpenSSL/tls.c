#include "COpenSSL.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/// What the verification callbacks of one context need. It is freed with the context.
struct expectation {
    cssl_complaint complain;
    void *object;
    int is_address;
    char name[];
};

static void release(void *parent, void *data, CRYPTO_EX_DATA *ad, int index, long number, void *argument) {
    (void)parent, (void)ad, (void)index, (void)number, (void)argument;
    free(data);
}

/// The process-wide index of the context's extra data, made once under OpenSSL's own lock.
static CRYPTO_ONCE once = CRYPTO_ONCE_STATIC_INIT;
static int place = -1;
static void make_place(void) { place = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release); }

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

static void complain(X509_STORE_CTX *chain, const struct expectation *expected) {
    char names[256] = "nobody", from[32] = "?", until[32] = "?", now[32] = "?", text[768];
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
    snprintf(text, sizeof text,
             "certificate verify failed, %s: wanted %s, the certificate is for %s and valid from %s until %s UTC; "
             "this machine's clock says %s UTC",
             X509_verify_cert_error_string(X509_STORE_CTX_get_error(chain)), expected->name, names, from, until, now);
    for (char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20) *c = ' ';
    }
    expected->complain(expected->object, text);
}

/// Replaces libmosquitto's callback, which compares the certificate with the address it connected to. Only OpenSSL's
/// verdict counts here.
static int verdict(int is_good, X509_STORE_CTX *chain) {
    (void)chain;
    return is_good;
}

static int verify(X509_STORE_CTX *chain, void *object) {
    const struct expectation *expected = object;
    X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(chain);
    int is_set = expected->is_address ? X509_VERIFY_PARAM_set1_ip_asc(rules, expected->name)
                                      : X509_VERIFY_PARAM_set1_host(rules, expected->name, 0);
    if (is_set != 1) return 0;
    X509_STORE_CTX_set_verify_cb(chain, verdict);
    int is_good = X509_verify_cert(chain) == 1;
    if (!is_good) complain(chain, expected);
    return is_good;
}

/// libmosquitto sends the address it connects to as the server name. This replaces it before the handshake begins.
static void ask_for_name(const SSL *connection, int event, int result) {
    (void)result;
    if ((event & SSL_CB_HANDSHAKE_START) == 0) return;
    const struct expectation *expected = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), place);
    if (expected != NULL && !expected->is_address) SSL_set_tlsext_host_name((SSL *)connection, expected->name);
}

struct ssl_ctx_st *cssl_new(const char *name, cssl_complaint complain, void *object) {
    if (CRYPTO_THREAD_run_once(&once, make_place) != 1 || place < 0) return NULL;
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    struct expectation *expected = malloc(sizeof *expected + strlen(name) + 1);
    if (context == NULL || expected == NULL || SSL_CTX_set_ex_data(context, place, expected) != 1) {
        free(expected);
        SSL_CTX_free(context);
        return NULL;
    }
    ASN1_OCTET_STRING *address = a2i_IPADDRESS(name);
    *expected = (struct expectation){complain, object, address != NULL};
    strcpy(expected->name, name);
    ASN1_OCTET_STRING_free(address);
    // Parsing a name as an address fails and leaves an error in the queue, which would be taken for the connection's.
    ERR_clear_error();
    SSL_CTX_set_cert_verify_callback(context, verify, expected);
    SSL_CTX_set_info_callback(context, ask_for_name);
    return context;
}

void cssl_free(struct ssl_ctx_st *context) { SSL_CTX_free(context); }

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
