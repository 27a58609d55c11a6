package io.weir.adapter;

import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.spi.RequestInfo;
import io.weir.spi.UserNames;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Connects one adapter to the Weir of its application, from the start of the application to its
 * end. {@link Weir#adapter} opens it.
 *
 * <p>Until {@linkplain #started() the start has ended}, mistakes in annotations and settings are
 * thrown. After it, settings that don't suit an endpoint which the first request reads are logged
 * and ignored until they are corrected, so that they can't fail the request.
 *
 * <p>An adapter must refer to it as long as it runs: one that was garbage collected counts as
 * closed. Safe for concurrent use. Not for implementation by others.
 */
public interface Adapter extends AutoCloseable {
  /**
   * Returns the Weir that decides the requests.
   *
   * @return the one that was given, else the application's
   * @throws IllegalStateException if the adapter is closed
   */
  Weir weir();

  /**
   * Reads and validates the annotations of handlers, before the first request.
   *
   * @param types the classes of handlers, as they are written: not proxies or generated subclasses
   * @param type the type of their endpoints
   * @throws io.weir.InvalidPolicyException if there are mistakes; the message lists all
   */
  void check(Collection<Class<?>> types, EndpointType type);

  /**
   * Finds the endpoint of a method, with the policies of its annotations or those of its class,
   * else of {@code weir.default.*}, and of {@code weir.application.*}.
   *
   * @param handler the class that serves, as it is written
   * @param method the method that answers
   * @param type the type of the endpoint
   * @return an endpoint without policies if none limits the method
   * @throws io.weir.InvalidPolicyException if there are mistakes
   */
  LimitedEndpoint endpoint(Class<?> handler, Method method, EndpointType type);

  /**
   * Finds the endpoint of a class that serves requests by no method of its own.
   *
   * @param handler the class that serves, as it is written
   * @param type the type of the endpoint
   * @return an endpoint with the policies of the class's annotations
   * @throws io.weir.InvalidPolicyException if there are mistakes
   */
  LimitedEndpoint endpoint(Class<?> handler, EndpointType type);

  /**
   * Finds the endpoint of a path, to be added to that of the handler by {@link
   * LimitedEndpoint#and}.
   *
   * @param path the decoded path within the application, as the framework matched it
   * @param ignoresSlash whether the handler of the path ignores a slash at its end
   * @return an endpoint with the policies of all URL patterns in the settings that match
   */
  default LimitedEndpoint endpoint(String path, boolean ignoresSlash) {
    return endpoint(path, ignoresSlash, false);
  }

  /**
   * Finds the endpoint of a path as {@link #endpoint(String, boolean)} does.
   *
   * @param path the decoded path within the application, as the framework matched it
   * @param ignoresSlash whether the handler of the path ignores a slash at its end
   * @param ignoresCase whether the framework finds the same handler for the path in another case
   * @return an endpoint with the policies of all URL patterns in the settings that match
   */
  LimitedEndpoint endpoint(String path, boolean ignoresSlash, boolean ignoresCase);

  /**
   * Returns whether settings bind a policy to any URL pattern, or leave out paths of any policy.
   *
   * @return false if no path needs to be read; follows the settings
   */
  boolean limitsPaths();

  /**
   * Returns whether a method carries a limit of its own, or inherits one from a method that it
   * overrides or implements.
   *
   * @param method any method
   * @return false for a method that only its class limits
   */
  boolean isAnnotated(Method method);

  /**
   * Returns the endpoint of a handler without a class to read, such as a page.
   *
   * @return an endpoint with the policy of {@code weir.application.*}, if there is one
   */
  LimitedEndpoint withoutClass();

  /**
   * Returns the endpoint that no policy limits.
   *
   * @return the same object for all adapters of one Weir; not empty if a policy source may add
   *     policies, or an access list may deny requests
   */
  LimitedEndpoint unlimited();

  /**
   * Returns whether a policy source may add policies to any request.
   *
   * @return true if the application has one; then any request may need the caller's address
   */
  boolean hasPolicySource();

  /**
   * Returns whether an access list may deny any request.
   *
   * @return true if it has entries, or settings name a place for them; then any request may need
   *     the caller's address. Follows the settings
   */
  boolean hasAccessList();

  /**
   * Returns whether policies may read the bodies of requests.
   *
   * @return true once an endpoint was found whose policies do; then the body of any request may
   *     have to be shown again to code behind the adapter
   */
  boolean readsBodies();

  /** Notes the end of the start-up. Idempotent. */
  void started();

  /**
   * Begins a request, or goes on with one that another adapter of the application has begun.
   *
   * @param seen the request as the adapter sees it
   * @param left what the framework's request has under {@link LimitedRequest#ATTRIBUTE}, if
   *     anything
   * @return the request where the other adapter has moved it; a new one, which no policy limits
   *     before it is {@linkplain LimitedRequest#moveTo moved} to an endpoint
   */
  LimitedRequest begin(RequestInfo seen, @Nullable Object left);

  /**
   * Finds the calls of a method for an advice, which runs outside of woven code. Without a request,
   * this adapter's Weir decides; once the adapter is closed, such calls aren't limited. All calls
   * of one adapter are one layer: an advice that is applied twice charges twice.
   *
   * <p>A limit of the class limits its public methods alone, and of these neither setters nor
   * {@code equals}, {@code hashCode} and {@code toString}, which frameworks call themselves. A
   * method with an annotation of its own is always limited.
   *
   * @param type the class that runs, as it is written
   * @param method the method
   * @param parameterNames the names of its parameters in the source, in their order
   * @return limits the calls; runs those of methods that nothing limits
   * @throws io.weir.InvalidPolicyException before {@link #started()}, if there are mistakes, such
   *     as an expression that reads a parameter which the method hasn't
   */
  LimitedCall call(Class<?> type, Method method, List<String> parameterNames);

  /**
   * Returns whether calls of methods are limited, which may need the user of the request they
   * belong to, whatever its own endpoint needs.
   *
   * @return true once an adapter of the Weir has found such a method by {@link #call}, or code of
   *     one was woven
   */
  boolean limitsCalls();

  /**
   * Finds the request that this thread is bound to, so that it can be {@linkplain
   * LimitedRequest#bind bound} to the thread in which its work goes on.
   *
   * @return empty outside of requests
   */
  Optional<LimitedRequest> currentRequest();

  /**
   * Makes the response to the refusal of a limited call, where its request isn't known. {@link
   * LimitedRequest#refusalIn} knows more.
   *
   * @param refused what was thrown
   * @param headers finds the values of a header field of the request
   * @return the response
   */
  Refusal refusal(RateLimitExceededException refused, Function<String, List<String>> headers);

  /**
   * Makes the response to a call that a policy couldn't count, where its request isn't known.
   *
   * @param invalid what was thrown
   * @return 400
   */
  Refusal refusal(InvalidRequestException invalid);

  /**
   * Finds the peer's address by the {@code PeerAddress} of the application, for adapters that can't
   * read it.
   *
   * @param request the framework's request
   * @return empty if the application has none, or it fails or doesn't know the address
   */
  Optional<String> peer(Object request);

  /**
   * Determines the address of a request's caller, for {@link RequestInfo#address()}.
   *
   * @param request the request, of which the peer and one header are read
   * @return the address or block that {@code IP} counts; empty only if there is no peer
   */
  Optional<String> address(RequestInfo request);

  /**
   * Returns the names of users, for {@code RequestInfo.user()} and {@code RequestInfo.issuer()}.
   *
   * @return those of the application, else the names of principals; never throws
   */
  UserNames userNames();

  /**
   * Returns whether the application has a {@code PeerAddress}.
   *
   * @return false if {@link #peer} never finds an address
   */
  boolean findsPeer();

  /**
   * Returns whether decisions may call parts of the application, such as a {@code TierResolver}, a
   * {@code KeyResolver}, a policy source or a {@code RefusalBody}. They may block.
   *
   * @return false if an event loop may pass {@code Runnable::run} to {@link
   *     LimitedRequest#decideAsync}, since no decision waits for anything in its thread; the same
   *     as long as the adapter runs
   */
  boolean callsApplication();

  /**
   * Reads a setting that is in force.
   *
   * @param name its full name, such as {@code weir.headers}
   * @return its value, else the default that a module declares, else the empty string
   * @throws IllegalStateException if the adapter is closed
   */
  String setting(String name);

  /**
   * Returns the class loader of the application that made the Weir, to find its classes.
   *
   * @return empty once the application is gone, or the adapter closed
   */
  Optional<ClassLoader> applicationLoader();

  /**
   * Ends the adapter, when the application has answered its last request. The last adapter of an
   * application closes its Weir, unless that was given. Requests that come later are admitted:
   * endpoints that a closed adapter finds have no policies, those that it has found follow their
   * Weir. It doesn't keep its Weir in memory. Idempotent.
   */
  @Override
  void close();
}
