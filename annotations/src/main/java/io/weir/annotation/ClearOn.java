package io.weir.annotation;

/** Selects what makes a policy forget failures that it has counted. */
public enum ClearOn {
  /** Nothing: a failure counts until it is a window old. */
  NOTHING,
  /**
   * A success of the same caller: a response with a status of 200 to 299, a method that returns, a
   * stage that completes, or what code reports as one. A redirect is none, nor is a response to
   * OPTIONS, TRACE or HEAD. It clears failures that ended before the request began; requests that
   * are still running stay counted.
   */
  SUCCESS
}
