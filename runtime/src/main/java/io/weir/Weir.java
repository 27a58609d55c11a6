package io.weir;

import io.weir.internal.application.ApplicationWeirs;
import io.weir.internal.application.DefaultWeirBuilder;
import io.weir.internal.application.WeirRuntime;
import io.weir.spi.PolicySource;
import java.util.Map;
import java.util.Optional;

/**
 * The rate limiting of one application: its limiter, its policies, who is calling, and what goes
 * over the wire. All adapters of an application share one.
 *
 * <p>A filter in web.xml, a feature without arguments and an aspect use {@linkplain #application()
 * that of the application}, made from settings and what {@link java.util.ServiceLoader} finds. An
 * application that has parts of its own builds one and hands it to the adapter:
 *
 * <pre>{@code
 * Weir weir = Weir.builder().tierResolver(new Plans()).build();
 * resourceConfig.register(new RateLimitFeature(weir));
 * }</pre>
 *
 * <p>Not for implementation by others: adapters take only what {@link #builder()} made.
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
   * The Weir of this application, found by the context class loader; made if there is none.
   *
   * @return an open Weir, closed with the application
   */
  static Weir application() {
    return application(Map.of());
  }

  /**
   * The Weir of this application; made if there is none.
   *
   * @param onTop settings that go before all others if it has to be made; if it exists already, a
   *     warning names those that don't hold
   * @return an open Weir, closed with the application
   */
  static Weir application(Map<String, String> onTop) {
    return ApplicationWeirs.get(onTop);
  }

  /**
   * Makes this the application's, so that aspects and filters find it; without effect if the
   * application has an open one.
   *
   * @return this
   */
  Weir install();

  /**
   * The limiter, to decide by hand. What a {@linkplain #source() policy source} says of a policy
   * holds here too: another limit for the tier of the user whose key is given, shadow mode, a
   * switch. Cost and key are those that are given, and so is a limit that isn't the policy's own.
   *
   * @return the one that all adapters of the application use
   */
  RateLimiter limiter();

  /**
   * Decides requests that aren't served here but asked about, as a decision service does.
   *
   * @return always the same
   */
  RequestChecker checker();

  /**
   * Reads and validates the annotated methods of classes that the aspect is woven into, before the
   * first call: they are in the {@link #table()} then, and mistakes show at the start. Features and
   * filters do this by themselves for what they limit.
   *
   * @param types classes with woven methods
   * @throws InvalidPolicyException if there are mistakes, all of them in one message
   */
  void check(Class<?>... types);

  /**
   * How many requests the adapters are working on now.
   *
   * @return 0 and more
   */
  int requestsInFlight();

  /**
   * What applies where, for people: a line for each endpoint and policy, and below them what a
   * {@linkplain io.weir.spi.PolicySource#describe() policy source} adds.
   *
   * @return a table of several lines
   */
  String table();

  /**
   * Where buckets live, for people.
   *
   * @return the address that {@code weir.store} says, without user and password, or the class of
   *     the store that was given
   */
  String store();

  /**
   * What brings further policies for requests, as it was given, found, or opened by a setting: so
   * that an application reaches what only a setting has switched on.
   *
   * @return nothing if this Weir has none
   */
  Optional<PolicySource> source();

  /**
   * Reads the settings again now, instead of within the next seconds. A malformed change is refused
   * as a whole and logged.
   */
  void refresh();

  /**
   * Closes the limiter and stops following the settings. Idempotent.
   *
   * <p>Requests that filter, feature and aspect still meet are admitted without limits, and the
   * first of them is logged: close it after the server has answered its last request. The {@link
   * #limiter()} and the {@link #checker()} refuse, with {@link Reason#STORE_UNAVAILABLE}.
   */
  @Override
  void close();
}
