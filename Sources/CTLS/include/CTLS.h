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

void ctls_free(struct ssl_ctx_st *context);
