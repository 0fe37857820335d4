#pragma once

struct ssl_ctx_st;

/// Takes what is wrong with a broker's certificate, in one line.
typedef void (*ctls_complaint)(void *object, const char *reason);

/// An OpenSSL context for one connection by libmosquitto, which knows no name for the broker but the address it
/// connects to: asks the broker for `name` (SNI, RFC 6066) and accepts only a certificate for it (RFC 6125), a DNS name
/// or an IP address. What is wrong with another one is told to `complain`.
///
/// NULL without memory. To be released with ctls_free once libmosquitto has it.
struct ssl_ctx_st *ctls_new(const char *name, ctls_complaint complain, void *object);

/// When a PEM file's first certificate expires, or the one that lasts longest, in seconds since 1970; -1 when it holds none.
long long ctls_expiry(const char *path, int lasts_longest);

void ctls_free(struct ssl_ctx_st *context);
