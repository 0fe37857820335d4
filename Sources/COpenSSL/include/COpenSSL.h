#pragma once

struct ssl_ctx_st;

/// Receives one line that says what is wrong with a broker's certificate.
typedef void (*cssl_complaint)(void *object, const char *reason);

/// Creates an OpenSSL context for one connection by libmosquitto, which knows only the address it connects to. The
/// context sends `name` to the broker (SNI, RFC 6066) and accepts only a certificate for that name (RFC 6125), a DNS
/// name or an IP address. For any other certificate it calls `complain` with the reason.
///
/// Returns NULL when there is no memory. Release it with cssl_free once libmosquitto has it.
struct ssl_ctx_st *cssl_new(const char *name, cssl_complaint complain, void *object);

/// Returns when the first certificate of a PEM file expires, or with `lasts_longest` the one that expires last, in
/// seconds since 1970; -1 when the file holds none.
long long cssl_expiry(const char *path, int lasts_longest);

/// Releases this side's reference to a context.
void cssl_free(struct ssl_ctx_st *context);

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
