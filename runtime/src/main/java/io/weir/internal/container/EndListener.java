package io.weir.internal.container;

/**
 * Receives the end of an application from the integration that finds it among the application's
 * providers.
 *
 * <p>Safe for concurrent use.
 */
public interface EndListener {
  /** Releases what the application has held; called after its last request, once or more. */
  void ended();
}
