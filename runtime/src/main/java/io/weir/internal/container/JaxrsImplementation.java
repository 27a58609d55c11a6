package io.weir.internal.container;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reaches what an implementation of JAX-RS other than Jersey offers beside the standard: which
 * request a thread works on, the end of requests and of the application, requests that wait without
 * a thread.
 *
 * <p>Safe for concurrent use.
 */
public interface JaxrsImplementation {
  /**
   * Watches the current thread, which begins to work on a request.
   *
   * @param left runs in this thread when it has finished its work on the request, if the
   *     implementation reports that
   * @param unanswered runs when an exception has ended the request and nothing has mapped it, if the
   *     implementation reports that; may run after a response too. Gets what takes header fields of
   *     the response that the container will make, by name and value
   * @return shows whether the thread still works on the request; empty if the implementation
   *     doesn't tell
   */
  default Optional<ThreadWatch> watchThread(
      Runnable left, Consumer<BiConsumer<String, String>> unanswered) {
    return Optional.empty();
  }

  /**
   * Returns whether interceptors may wrap the bodies of responses, while features are configured.
   *
   * @return false where the implementation then refuses to write a body in the threads of its server
   */
  default boolean allowsWriterInterceptors() {
    return true;
  }

  /**
   * Returns whether it shows which request a thread works on.
   *
   * @return true if {@link #watchThread} does within requests
   */
  default boolean watchesThreads() {
    return false;
  }

  /**
   * Finds the classes of the application's resources, while its features are configured.
   *
   * @return those that {@code Configuration} doesn't list; none if they aren't known yet
   */
  default List<Class<?>> resources() {
    return List.of();
  }

  /**
   * Registers what to do when the application has ended, if the implementation reports that.
   *
   * @param ended runs once or more
   */
  default void whenEnded(Runnable ended) {}

  /**
   * Lets a request wait for a decision without its thread, if that is an event loop's.
   *
   * @param <T> the decision
   * @param context the request, within a request filter
   * @param decision what the request waits for; never completes exceptionally
   * @param then runs when the decision is known, in the event loop again; returns the response that
   *     aborts the request, if any
   * @param around runs the rest of the request, and must run it once
   * @return false if the thread is made for waiting, or the implementation can't suspend
   */
  default <T> boolean await(
      ContainerRequestContext context,
      CompletionStage<T> decision,
      Function<T, Optional<Response>> then,
      Around around) {
    return false;
  }

  /**
   * Returns whether a request is served by an event loop, which must not wait.
   *
   * @param context the request, within a request filter
   * @return true if {@link #await} lets it wait
   */
  default boolean isOnEventLoop(ContainerRequestContext context) {
    return false;
  }

  /** Shows whether a thread still works on a request; asked in that thread. */
  interface ThreadWatch {
    /**
     * Returns whether the thread works on the request now.
     *
     * @return false while it works for another request or for none
     */
    boolean isServedHere();

    /**
     * Returns whether the thread will not come back to the request.
     *
     * @return false also while it works for a request within this one, where that can be told
     */
    boolean hasLeft();
  }

  /** Runs the rest of a request that has waited. */
  @FunctionalInterface
  interface Around {
    /**
     * Runs it in the current thread.
     *
     * @param rest the rest
     */
    void run(Runnable rest);
  }
}
