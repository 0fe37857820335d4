#include "COpenSSL.h"

#include <openssl/evp.h>

struct evp_md_ctx_st *cssl_sha256_new(void) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (context != NULL && EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1) return context;
    EVP_MD_CTX_free(context);
    return NULL;
}

void cssl_sha256_update(struct evp_md_ctx_st *context, const unsigned char *bytes, unsigned long count) {
    if (count > 0) EVP_DigestUpdate(context, bytes, count);
}

void cssl_sha256_finish(struct evp_md_ctx_st *context, unsigned char *digest) {
    unsigned int size = 0;
    EVP_DigestFinal_ex(context, digest, &size);
}

void cssl_sha256_free(struct evp_md_ctx_st *context) { EVP_MD_CTX_free(context); }
