#pragma once

/// One end of a TLS connection, without a socket: the caller moves the encrypted bytes.
typedef struct cssl_client cssl_client;

/// The other end has said that it sends no more.
#define CSSL_CLOSED (-1)
/// The connection is of no use any more; cssl_client_trouble says why.
#define CSSL_FAILED (-2)

/// Creates the client's end of a TLS connection, version 1.2 or later. It sends `name` to the server (SNI, RFC 6066) and
/// accepts only a certificate for that name (RFC 6125), a DNS name or an IP address.
///
/// `ca` names a PEM file with the authorities to trust, NULL for those of the system; `certificate` and `key` name the
/// PEM files of this end, NULL for none. Returns NULL when there is no memory. When a file is of no use,
/// cssl_client_trouble says so; the client must then only be released.
cssl_client *cssl_client_new(const char *name, const char *ca, const char *certificate, const char *key);

/// Releases a client.
void cssl_client_free(cssl_client *client);

/// The first thing that went wrong, in one line; NULL when nothing did.
const char *cssl_client_trouble(const cssl_client *client);

/// Reads at most `count` decrypted bytes. The first reads and writes carry out the handshake. Returns how many, 0 when
/// more must arrive first, or CSSL_….
int cssl_client_read(cssl_client *client, void *bytes, int count);

/// Encrypts at most `count` bytes. Returns how many, 0 when bytes must be moved first, or CSSL_….
int cssl_client_write(cssl_client *client, const void *bytes, int count);

/// Whether the handshake is complete.
int cssl_client_is_agreed(const cssl_client *client);

/// Says that this end sends no more.
void cssl_client_end(cssl_client *client);

/// Hands over `count` bytes that came from the network. Returns 0 when there is no memory.
int cssl_client_arrived(cssl_client *client, const void *bytes, int count);

/// Takes at most `count` bytes that must go to the network. Returns how many.
int cssl_client_leaving(cssl_client *client, void *bytes, int count);

/// Returns when the first certificate of a PEM file expires, or with `lasts_longest` the one that expires last, in
/// seconds since 1970; -1 when the file holds none.
long long cssl_expiry(const char *path, int lasts_longest);

struct evp_md_ctx_st;

/// Begins a SHA-256 digest; NULL when there is no memory. Release it with cssl_sha256_free.
struct evp_md_ctx_st *cssl_sha256_new(void);

/// Adds `count` bytes to the message.
void cssl_sha256_update(struct evp_md_ctx_st *context, const unsigned char *bytes, unsigned long count);

/// Writes the message's digest, 32 bytes. The message takes no more bytes afterwards.
void cssl_sha256_finish(struct evp_md_ctx_st *context, unsigned char *digest);

/// Releases a digest.
void cssl_sha256_free(struct evp_md_ctx_st *context);

/// Derives `key_count` bytes from a password of `count` bytes with scrypt (RFC 7914). It needs 128 * n * r bytes of
/// memory, at most 32 MiB.
///
/// Returns 1; 0 when the parameters are not allowed or there is no memory.
int cssl_scrypt(const char *password, unsigned long count, const unsigned char *salt, unsigned long salt_count,
                unsigned long long n, unsigned long long r, unsigned long long p, unsigned char *key,
                unsigned long key_count);

/// Writes the HMAC-SHA256 (RFC 2104) of a message, 32 bytes. Returns 1; 0 when there is no memory.
int cssl_hmac_sha256(const unsigned char *key, unsigned long key_count, const unsigned char *bytes,
                     unsigned long count, unsigned char *code);

/// Returns whether two texts of `count` bytes are equal. The time it takes does not depend on their content.
int cssl_is_equal(const unsigned char *one, const unsigned char *other, unsigned long count);
