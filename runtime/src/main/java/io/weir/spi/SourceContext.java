package io.weir.spi;

import io.weir.Key;
import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.store.BucketId;
import io.weir.store.ScannableStore;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * What a {@link PolicySource} may use of the application that it serves.
 *
 * <p>Safe for concurrent use.
 */
public interface SourceContext {
  /**
   * Reads a setting, as it is at the moment of the call.
   *
   * @param name its full name
   * @return its value, else the default that a {@link ModuleSettings} declares, else an empty text
   */
  String setting(String name);

  /**
   * The application's time.
   *
   * @return the same that decides when windows end
   */
  Ticker ticker();

  /**
   * The policies of annotations and settings that are bound so far. Endpoints are bound when they
   * are first met, so that later there may be more.
   *
   * @return as they are in force, by name; a copy
   */
  Collection<Policy> boundPolicies();

  /**
   * What the application can't do for a policy: name a key resolver, a cost resolver or a condition
   * that it doesn't have, or count a bucket that its store doesn't.
   *
   * @param policy a policy whose members go together
   * @return none if the policy can be applied
   */
  List<PolicyMistake> mistakes(Policy policy);

  /**
   * What reads a key expression, as policies do: {@code header:X-Api-Key}, or the name of one of
   * the application's key resolvers.
   *
   * @param expression the expression
   * @return reads the text from a request, nothing if it is missing or blank; throws {@link
   *     io.weir.InvalidRequestException} for one longer than 8,192 bytes, and nothing else
   * @throws IllegalArgumentException if the expression can't be read; the message tells why
   */
  KeyResolver keyResolver(String expression);

  /**
   * The caller's address, as policies count by it.
   *
   * @param request the request
   * @return the address, of proxies that are trusted the one that they report; {@link Key#nobody()}
   *     outside of HTTP
   */
  Key address(RequestInfo request);

  /**
   * How many permits the store has counted in a bucket now, those of leases included. Takes
   * nothing, and brings nothing into use.
   *
   * @param policy whose bucket; of a {@linkplain io.weir.store.CalendarWindow#period period} also
   *     after its end, for as long as it is kept
   * @param key whom it counts
   * @return completed within the store time-out, perhaps by a thread that serves the store, so that
   *     actions must not block; with nothing if the store can't be asked or doesn't answer; never
   *     exceptionally
   */
  CompletionStage<OptionalLong> used(Policy policy, Key key);

  /**
   * Makes a bucket full again, for somebody who was locked out say: the store forgets it, and so
   * does this process. Permits that other processes have leased may still be spent, and they know
   * what they know until they {@linkplain #letGo let go} of it.
   *
   * @param policy whose bucket
   * @param key whom it counts
   * @return completed when it is forgotten; exceptionally if the store can't be reached, or can't
   *     forget
   */
  CompletionStage<?> forget(Policy policy, Key key);

  /**
   * Lets go of what this process holds and knows of some buckets: leases are given back, and the
   * next request asks the store. Permits aren't lost by it.
   *
   * @param which the buckets; asked for each that is held in this process
   */
  void letGo(Predicate<BucketId> which);

  /**
   * The application's store, if it can list the buckets of a policy.
   *
   * @return nothing where it can't
   */
  Optional<ScannableStore> scannableStore();

  /**
   * The application's limiter, for permits that are counted by hand.
   *
   * @return the same that decides requests; not to be closed
   */
  RateLimiter limiter();

  /**
   * What the settings say that a request costs by its method: {@code weir.cost.<METHOD>}, else the
   * default of that method where {@code weir.cost.defaults} is on.
   *
   * @param method an HTTP method in capitals
   * @return permits, 1 and more, as it is at the moment of the call; nothing if the settings say
   *     nothing of it
   */
  OptionalLong cost(String method);
}
