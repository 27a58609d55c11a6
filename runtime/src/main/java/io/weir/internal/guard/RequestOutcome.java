package io.weir.internal.guard;

import io.weir.annotation.Count;

/** Tells apart what became of a request, as policies count it. */
enum RequestOutcome {
  /** A status of 200 to 299, or a call that returns. */
  SUCCEEDED(Count.FAILURES),

  /**
   * A redirect, an answer before the last, or a success that proves nothing: no failure, but
   * nothing that clears failures.
   */
  OTHER(Count.FAILURES),

  /** A status of 400 and more, an exception or no response at all. */
  FAILED(Count.SUCCESSES);

  private static final int SUCCESS = 200;
  private static final int REDIRECT = 300;
  private static final int FAILURE = 400;

  private final Count notCounted;

  RequestOutcome(Count notCounted) {
    this.notCounted = notCounted;
  }

  static RequestOutcome of(int status) {
    if (status >= FAILURE) {
      return FAILED;
    }
    return status >= SUCCESS && status < REDIRECT ? SUCCEEDED : OTHER;
  }

  /** Returns what a policy counts that doesn't count this request. */
  Count notCounted() {
    return notCounted;
  }
}
