package io.weir.internal.container;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
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
   * Binds a request to the current thread, in which its filters run, and reports on it from then
   * on: when this or another thread begins or ends its work on it, and when an exception ends it
   * that nothing maps.
   *
   * @param request the request, within its first filter
   * @return false if the implementation reports nothing, and the request isn't bound
   */
  default boolean watch(WatchedRequest request) {
    return false;
  }

  /**
   * Returns whether the end of the request that this thread works on is reported, whatever fails:
   * only then can it be counted as in flight. Asked once it is {@linkplain #watch watched}.
   *
   * @return false if an end may go unreported, as where a response can't be written
   */
  default boolean reportsEachEnd() {
    return false;
  }

  /**
   * Returns whether interceptors may wrap the bodies of responses, while features are configured.
   *
   * @return false where the implementation then refuses to write a body in the threads of its
   *     server
   */
  default boolean allowsWriterInterceptors() {
    return true;
  }

  /**
   * Returns whether the context of a request shows the user whom its filters have signed in to all
   * threads that work on its response, while features are configured.
   *
   * @return false where only the thread of these filters sees it
   */
  default boolean showsUserToEnd() {
    return true;
  }

  /**
   * Returns whether the implementation applies features to the class of a sub-resource that it
   * meets in a request.
   *
   * @return false if only to classes that it knows at the start
   */
  default boolean bindsSubResources() {
    return true;
  }

  /**
   * Finds the filters that a request passes after it was matched.
   *
   * @param context the request, within one of them
   * @return in their order; empty if the implementation doesn't show them
   */
  default Optional<List<ContainerRequestFilter>> requestFilters(ContainerRequestContext context) {
    return Optional.empty();
  }

  /**
   * Finds the filters that each request passes before it is matched.
   *
   * @param context a request, within a filter after matching
   * @return in their order; empty if the implementation doesn't show them
   */
  default Optional<List<ContainerRequestFilter>> filtersBeforeMatching(
      ContainerRequestContext context) {
    return Optional.empty();
  }

  /**
   * Returns whether an OPTIONS request may reach a method of a resource, or a locator of
   * sub-resources, and not only an answer that the implementation generates.
   *
   * @param context the request, within the last request filter before matching
   * @return true also if that can't be known
   */
  default boolean mayReachResource(ContainerRequestContext context) {
    return true;
  }

  /**
   * Returns whether the servlet that runs the application runs no other one. First asked within a
   * request.
   *
   * @return true by default, as most run one application in a servlet; false also if it is unknown
   */
  default boolean isAloneInServlet() {
    return true;
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
   * Registers what to do when the application has ended: if the implementation doesn't report that,
   * with the web application that contains it.
   *
   * @param ended runs once or more
   */
  default void whenEnded(Runnable ended) {
    WebApplicationEnd.add(ended);
  }

  /**
   * Lets a request wait for a decision without its thread, if that is an event loop's.
   *
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

  /** Runs the rest of a request that has waited. */
  @FunctionalInterface
  interface Around {
    /** Runs it in the current thread. */
    void run(Runnable rest);
  }
}
