package io.weir.benchmarks.http;

import java.util.List;

/**
 * The requests of a client, and their outcome.
 *
 * <p>{@code FREE} has no Weir in its way at all: it is what the others are put beside.
 */
enum HttpLoad {
  /** Answered without Weir. */
  FREE("/free", Hello.END, List.of()),
  /** Admitted and answered, with both families of header fields. */
  ADMITTED(Hello.PATH, Hello.END, List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Limit")),
  /** Admitted and answered with the standard's header fields alone. */
  IETF(Hello.IETF_PATH, Hello.END, List.of("RateLimit", "RateLimit-Policy")),
  /** Admitted by one of many rules in a database, which also keeps what each user used. */
  RULES(Hello.RULES_PATH, Hello.END, List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Limit")),
  /** Refused, all but the first. */
  REFUSED(
      Hello.REFUSED_PATH,
      Hello.END_OF_REFUSAL,
      List.of("RateLimit", "RateLimit-Policy", "X-RateLimit-Limit"));

  /** The path that is requested. */
  final String path;

  /** The byte that stands once in each answer, at its end. */
  final byte end;

  /** Those of the header fields that are looked for which each answer has. */
  final List<String> fields;

  HttpLoad(String path, byte end, List<String> fields) {
    this.path = path;
    this.end = end;
    this.fields = fields;
  }
}
