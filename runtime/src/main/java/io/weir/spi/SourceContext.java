package io.weir.spi;

import io.weir.Key;
import io.weir.Policy;
import io.weir.PolicyMistake;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.access.AccessSubject;
import io.weir.store.BucketId;
import io.weir.store.ScannableStore;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Gives a {@link PolicySource} access to its application.
 *
 * <p>Safe for concurrent use.
 */
public interface SourceContext {
  /**
   * Reads the current value of a setting.
   *
   * @param name its full name
   * @return its value, else the default that a {@link ModuleSettings} declares, else an empty text
   */
  String setting(String name);

  /**
   * Returns the application's source of time.
   *
   * @return the ticker that decides when windows end
   */
  Ticker ticker();

  /**
   * Returns the policies of annotations and settings that are bound so far. Some endpoints are
   * bound with their first request, so there may be more later.
   *
   * @return a copy of the effective policies
   */
  Collection<Policy> boundPolicies();

  /**
   * Finds members of a policy that this application doesn't support: unknown key resolvers, cost
   * resolvers or conditions, or a bucket that its store can't count.
   *
   * @param policy a valid policy
   * @return the mistakes; none if the policy can be applied
   */
  List<PolicyMistake> mistakes(Policy policy);

  /**
   * Finds the rule of this application that the subject of an entry of the access list breaks: it
   * shares addresses with a trusted proxy, names an unknown key resolver, or is a key and no
   * setting says where requests have their key. Such an entry is ignored.
   *
   * @param subject the subject of an entry
   * @return the rule, by the settings at the time of the call; empty if entries may have it
   */
  Optional<String> mistake(AccessSubject subject);

  /**
   * Compiles a key expression, as policies have them: {@code header:X-Api-Key}, or the name of one
   * of the application's key resolvers.
   *
   * @param expression the expression
   * @return reads the text from a request, empty if it is missing or blank; throws only an {@link
   *     io.weir.InvalidRequestException}, for a text longer than 8,192 bytes
   * @throws IllegalArgumentException if the expression is invalid; the message says why
   */
  KeyResolver keyResolver(String expression);

  /**
   * Returns whether a condition of the application needs the user, so that its policies belong to
   * the phase after authentication.
   *
   * @param name the name of a {@link RequestCondition}, as policies have it
   * @return false only if there is such a condition and it {@linkplain RequestCondition#needsUser()
   *     says so}
   */
  boolean conditionNeedsUser(String name);

  /**
   * Returns the caller's address, as policies count by it.
   *
   * @param request the request
   * @return the address, behind trusted proxies the one that they report; {@link Key#nobody()}
   *     outside of HTTP
   */
  Key address(RequestInfo request);

  /**
   * Reads the permits that the store has counted in a bucket, including leased ones. Takes no
   * permits and doesn't cache the bucket.
   *
   * @param policy the policy of the bucket; a bucket of a {@linkplain
   *     io.weir.store.CalendarWindow#period period} can be read after its end as long as it is kept
   * @param key the key of the bucket
   * @return completed within the store time-out, possibly by a thread that serves the store, so
   *     that actions must not block; empty if the store can't be reached or doesn't answer; never
   *     completed exceptionally
   */
  CompletionStage<OptionalLong> used(Policy policy, Key key);

  /**
   * Resets a bucket to full, for example for a caller that was locked out: deletes it in the store
   * and in this process. If this source has the policy replaced for the user of the key, and the
   * replacement has another burst, its bucket is deleted too. Other processes may still spend
   * permits that they have leased, and use cached refusals until they {@linkplain #letGo let go} of
   * the buckets.
   *
   * @param policy the policy of the bucket
   * @param key the key of the bucket
   * @return the deleted buckets, completed when they are deleted; exceptionally if the store can't
   *     be reached or can't delete buckets
   */
  CompletionStage<List<BucketId>> forget(Policy policy, Key key);

  /**
   * Drops this process's cached state of some buckets: leases are given back, and the next request
   * goes to the store. No permits are lost.
   *
   * @param which selects the buckets; called for each bucket in this process
   */
  void letGo(Predicate<BucketId> which);

  /**
   * Returns the application's store if it can list the buckets of a policy.
   *
   * @return the store; empty if it can't
   */
  Optional<ScannableStore> scannableStore();

  /**
   * Returns whether the shared store couldn't be reached when it was last asked.
   *
   * @return false for a store in this process
   */
  boolean isStoreAway();

  /**
   * Returns how often the shared store was found to have lost its data since the start. Use that a
   * source knew before a loss, and that it adds to each request, may be less than what was lost.
   *
   * @return 0 for a store in this process
   */
  long storeLosses();

  /**
   * Returns the application's limiter, for permits that the source counts itself.
   *
   * @return the limiter that decides requests; must not be closed
   */
  RateLimiter limiter();

  /**
   * Returns the cost of an HTTP method by the settings: {@code weir.cost.<METHOD>}, else the
   * default of the method if {@code weir.cost.defaults} is on.
   *
   * @param method an HTTP method in upper case
   * @return permits, 1 and more, at the time of the call; empty if the settings have no cost for it
   */
  OptionalLong cost(String method);
}
