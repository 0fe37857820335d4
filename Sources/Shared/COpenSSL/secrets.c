#include "COpenSSL.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

int cssl_scrypt(const char *password, unsigned long count, const unsigned char *salt, unsigned long salt_count,
                unsigned long long n, unsigned long long r, unsigned long long p, unsigned char *key,
                unsigned long key_count) {
    // 0 is OpenSSL's own limit of 32 MiB.
    if (EVP_PBE_scrypt(password, count, salt, salt_count, n, r, p, 0, key, key_count) == 1) return 1;
    // A failure leaves an error in the queue, which would be taken for a connection's.
    ERR_clear_error();
    return 0;
}

int cssl_hmac_sha256(const unsigned char *key, unsigned long key_count, const unsigned char *bytes,
                     unsigned long count, unsigned char *code) {
    unsigned int size = 0;
    if (HMAC(EVP_sha256(), key, (int)key_count, bytes, count, code, &size) != NULL) return 1;
    ERR_clear_error();
    return 0;
}

int cssl_is_equal(const unsigned char *one, const unsigned char *other, unsigned long count) {
    return CRYPTO_memcmp(one, other, count) == 0;
}
