package io.weir.benchmarks.http;

/**
 * The requests of a client, and their outcome.
 *
 * <p>{@code FREE} has no Weir in its way at all: it is what the others are put beside.
 */
enum HttpLoad {
  /** Answered without Weir. */
  FREE("/free", Hello.END),
  /** Admitted and answered. */
  ADMITTED(Hello.PATH, Hello.END),
  /** Refused, all but the first. */
  REFUSED(Hello.REFUSED_PATH, Hello.END_OF_REFUSAL);

  /** The path that is requested. */
  final String path;

  /** The byte that stands once in each answer, at its end. */
  final byte end;

  HttpLoad(String path, byte end) {
    this.path = path;
    this.end = end;
  }
}
