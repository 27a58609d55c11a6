package io.weir;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.internal.application.ApplicationWeirs;
import io.weir.internal.application.DefaultAdapter;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.spi.PolicySource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rate limiting of one application: its limiter, its policies, the identification of callers,
 * and the responses. All adapters of an application share one.
 *
 * <p>A filter in web.xml, a feature without arguments and an aspect use {@linkplain #application()
 * that of the application}, made from settings and parts that {@link java.util.ServiceLoader}
 * finds. An application with parts of its own builds one and passes it to the adapter:
 *
 * <pre>{@code
 * Weir weir = Weir.builder().tierResolver(new Plans()).build();
 * resourceConfig.register(new RateLimitFeature(weir));
 * }</pre>
 *
 * <p>Not for implementation by others: adapters accept only the result of {@link #builder()}.
 *
 * <p>Safe for concurrent use.
 */
public interface Weir extends AutoCloseable {
  /**
   * Starts a Weir with parts of your own; the others come from settings and {@code ServiceLoader}.
   *
   * @return a builder
   */
  static WeirBuilder builder() {
    return new DefaultWeirBuilder();
  }

  /**
   * Returns the Weir of this application, found by the context class loader; makes one if needed.
   *
   * @return an open Weir, closed with the application
   */
  static Weir application() {
    return application(Map.of());
  }

  /**
   * Returns the Weir of this application; makes one if needed.
   *
   * @param onTop settings that override all others if the Weir is made now; if it exists already, a
   *     warning lists those that have no effect
   * @return an open Weir, closed with the application
   */
  static Weir application(Map<String, String> onTop) {
    return ApplicationWeirs.get(onTop);
  }

  /**
   * Opens an adapter: code that brings the requests of a web framework to the policies of the
   * application.
   *
   * @param options determine which Weir it works with
   * @return an adapter, to be closed when the application ends
   * @throws InvalidSettingException if the application's Weir has to be made, and a setting is
   *     malformed or unknown
   */
  static Adapter adapter(AdapterOptions options) {
    return DefaultAdapter.open(options);
  }

  /**
   * Makes this the Weir of the application, so that aspects and filters find it. Without effect if
   * the application has an open one already.
   *
   * @return this
   */
  Weir install();

  /**
   * Returns the limiter, for decisions by calls of the API. A {@linkplain #source() policy source}
   * can change a policy here too: its limit for the tier of the user whose key is passed, shadow
   * mode, or switch it off. Cost and key are those of the call, and so is a limit other than the
   * policy's own.
   *
   * <p>The setting {@code weir.enabled=false} is for requests and woven methods. It doesn't change
   * this limiter, on whose decisions the application's own code may rely.
   *
   * @return the limiter that all adapters of the application use
   */
  RateLimiter limiter();

  /**
   * Returns the checker, which decides requests that other processes serve.
   *
   * @return the checker
   */
  RequestChecker checker();

  /**
   * Reads and validates the annotated methods of woven classes before the first call, so that they
   * are in the {@link #table()} and mistakes show at the start. Features and filters do this
   * themselves for the classes that they limit.
   *
   * @param types classes with woven methods
   * @throws InvalidPolicyException if there are mistakes; the message lists all
   */
  void check(Class<?>... types);

  /**
   * Does what {@link #check} does, and refuses limited methods that aren't woven: nothing limits
   * them, and nothing else says so. Call it at the start for classes whose methods AspectJ is to
   * limit.
   *
   * @param types classes with woven methods
   * @throws InvalidPolicyException if there are mistakes, or AspectJ has changed neither the class
   *     nor one of its methods that has code and a limit of its own; the message lists all. An
   *     aspect of somebody else around the same method looks like Weir's
   */
  void checkWoven(Class<?>... types);

  /**
   * Returns the number of requests that the adapters are handling now.
   *
   * @return 0 and more
   */
  int requestsInFlight();

  /**
   * Describes all limits for people: a line for each endpoint and policy, and below them the lines
   * of the {@linkplain io.weir.spi.PolicySource#describe() policy source} and of the access list.
   *
   * @return a table of several lines
   */
  String table();

  /**
   * Lists the policies of annotations and settings with the endpoints that they apply to: the same
   * as the {@link #table()}, for programs. Policies of the {@linkplain #source() policy source}
   * aren't among them.
   *
   * @return the policies in force now at the endpoints that were read so far, sorted by endpoint
   *     and name; unmodifiable
   */
  List<EndpointPolicy> policies();

  /**
   * Names the store of the buckets for people.
   *
   * @return the address in {@code weir.store}, without user and password; where a {@linkplain
   *     WeirBuilder#storeProvider provider} found the address, host and port; the class of the
   *     store if one was given
   */
  String store();

  /**
   * Returns whether the shared store couldn't be reached when it was last asked. Until it answers
   * again, {@code onStoreFailure} of each policy decides.
   *
   * @return false for a store in this process
   */
  boolean isStoreAway();

  /**
   * Returns the number of nodes that share the store, as far as this node knows: the most that the
   * store has reported within the last seconds. Until it has, at least {@code weir.store.nodes}.
   *
   * @return 1 and more; 1 for a store in this process unless {@code weir.store.nodes} is set
   */
  int nodes();

  /**
   * Lists the regions in which the application runs, as this node sees them.
   *
   * @return the own one first, the others in the order of their names; empty unless {@code
   *     weir.region} is set
   */
  List<RegionStatus> regions();

  /**
   * Returns the policy source that was given, found, or made because of a setting.
   *
   * @return the source; empty if this Weir has none
   */
  Optional<PolicySource> source();

  /**
   * Lists the bans that are in force on this node, made by it or given by the {@linkplain #source()
   * policy source}.
   *
   * @return entries that ban, those in shadow mode as well, in no order; unmodifiable
   */
  List<AccessEntry> bans();

  /**
   * Lifts a ban on this node, and on all others if the {@linkplain #source() policy source} keeps
   * bans. The caller's strikes begin anew.
   *
   * @param subject the subject of the ban
   * @return false if no ban of it is in force on this node
   */
  boolean liftBan(AccessSubject subject);

  /**
   * Reloads the settings now instead of within the next seconds. If any changed setting is
   * malformed, all changes are rejected, and this is logged.
   */
  void refresh();

  /**
   * Closes the limiter and stops following the settings. Idempotent.
   *
   * <p>Requests that still arrive at filter, feature and aspect are admitted without limits, and
   * the first of them is logged: close the Weir after the server has answered its last request. The
   * {@link #limiter()} and the {@link #checker()} refuse, with {@link Reason#STORE_UNAVAILABLE}.
   */
  @Override
  void close();
}
