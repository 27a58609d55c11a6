package io.weir.compat.aspectj;

import io.weir.annotation.RateLimit;
import kotlin.coroutines.Continuation;

/** Has what Kotlin makes of a suspend function. */
public class Suspending {
  @RateLimit(limit = 2, window = 60)
  public Object send(String text, Continuation<String> rest) {
    return text;
  }
}
