package io.weir.internal.guard;

import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.internal.key.BodyUse;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.RequestInfo;
import io.weir.store.BucketSpec;
import io.weir.store.PermitStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes permit requests of the policies that a policy source applies to requests. A policy that
 * can't be used is left out and logged once; the others apply.
 *
 * <p>Safe for concurrent use.
 */
public final class AppliedPolicyReader {
  private static final System.Logger LOG = System.getLogger(AppliedPolicyReader.class.getName());

  /** Bounds memory if a source keeps making up names. */
  private static final int MAX_READERS = 10_000;

  /** A power of 2. */
  private static final int RECENT = 1_024;

  private final PermitStore store;
  private final Function<Policy, PolicyRequestReader> readerOf;
  private final Map<ReadMembers, PolicyRequestReader> readers = new ConcurrentHashMap<>();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();

  /** The readers of recent policies, by the hash of a policy. */
  private final AtomicReferenceArray<@Nullable Found> found = new AtomicReferenceArray<>(RECENT);

  private record Found(Policy policy, PolicyRequestReader reader) {}

  /** The members of a policy that its reader depends on. */
  private record ReadMembers(
      String name, List<By> by, List<String> keys, String costFrom, String when) {
    ReadMembers(Policy policy) {
      this(policy.name(), policy.by(), policy.keys(), policy.costFrom(), policy.when());
    }
  }

  /** Makes a reader for a store, which must count the buckets of the policies. */
  public AppliedPolicyReader(PermitStore store, Function<Policy, PolicyRequestReader> readerOf) {
    this.store = store;
    this.readerOf = readerOf;
  }

  /** Forgets all policies, since those of the source have changed. */
  public void forgetPolicies() {
    for (int i = 0; i < RECENT; i++) {
      found.set(i, null);
    }
    readers.clear();
    warned.clear();
  }

  /**
   * Makes the permit request of a policy of the source, beyond what the policy has charged before.
   *
   * @return null if nothing is left to charge, if the policy doesn't hold, or can't be used
   * @throws InvalidRequestException if the policy can't count the request
   */
  @Nullable PermitRequest request(
      AppliedPolicy applied, RequestInfo request, DecisionHistory history) {
    Policy policy = applied.policy();
    try {
      requireCounted(policy);
      if (!policy.when().isEmpty() && !reader(policy).holds(request, history)) {
        return null;
      }
      long limit = applied.limitFor(applied.limit());
      long cost = cost(applied, request, history, limit);
      if (cost < 0) {
        return null;
      }
      Key key = key(applied, request);
      long rest = history.rest(policy.spec(), key, cost);
      return rest < 0 ? null : new PermitRequest(policy, key, rest, limit, applied.used());
    } catch (InvalidRequestException invalid) {
      throw invalid;
    } catch (RuntimeException | LinkageError unusable) {
      warn(policy.name(), unusable);
      return null;
    }
  }

  boolean waitsForUser(AppliedPolicy applied, RequestInfo request, DecisionHistory history) {
    Policy policy = applied.policy();
    try {
      return !policy.when().isEmpty() && reader(policy).waitsForUser(request, history);
    } catch (RuntimeException | LinkageError unusable) {
      return false; // logged when the request is made
    }
  }

  /** Returns whether a policy reads the body of requests; false too if it can't be used. */
  boolean readsBody(AppliedPolicy applied) {
    Policy policy = applied.policy();
    if (policy.keys().isEmpty() && policy.costFrom().isEmpty() && policy.when().isEmpty()) {
      return false; // the usual case, decided without a reader
    }
    try {
      return reader(policy).body().isAny();
    } catch (RuntimeException | LinkageError unusable) {
      return false; // logged when the request is made
    }
  }

  /** Returns the formats of the body that a policy reads of a request; none if it doesn't hold. */
  BodyUse bodyUse(AppliedPolicy applied, RequestInfo request, DecisionHistory history) {
    PolicyRequestReader reader = reader(applied.policy());
    return reader.wantsBody(request, history) ? reader.body() : BodyUse.NONE;
  }

  /**
   * Reads the key of a policy that a source applies as the source does, whether it gave one or not.
   */
  Key readKey(AppliedPolicy applied, RequestInfo request) {
    return reader(applied.policy()).key(request);
  }

  private Key key(AppliedPolicy applied, RequestInfo request) {
    return applied.key().isPresent() ? applied.key().get() : reader(applied.policy()).key(request);
  }

  private long cost(
      AppliedPolicy applied, RequestInfo request, DecisionHistory history, long limit) {
    if (request.cost().isPresent()) {
      return request.cost().getAsLong();
    }
    Policy policy = applied.policy();
    return applied.isCostGiven() || policy.costFrom().isEmpty()
        ? cost(applied, limit)
        : reader(policy).cost(request, history, policy, applied.permits());
  }

  /** Returns the cost that a source gives, which it meant for the whole limit. */
  static long cost(AppliedPolicy applied, long limit) {
    return applied.isLimitHalved()
        ? Math.min(applied.permits(), applied.policy().burstFor(limit))
        : applied.permits();
  }

  /** Finds a reader fast if the source gives the same object for each request, as most do. */
  @SuppressWarnings("ReferenceEquality") // an equal one is found too, only not as fast
  private PolicyRequestReader reader(Policy policy) {
    int index = System.identityHashCode(policy) & (RECENT - 1);
    Found known = found.get(index);
    if (known != null && known.policy == policy) {
      return known.reader;
    }
    PolicyRequestReader reader = readerOfMembers(policy);
    found.set(index, new Found(policy, reader));
    return reader;
  }

  private PolicyRequestReader readerOfMembers(Policy policy) {
    ReadMembers members = new ReadMembers(policy);
    PolicyRequestReader known = readers.get(members);
    if (known != null) {
      return known;
    }
    if (readers.size() >= MAX_READERS) {
      readers.clear();
    }
    return readers.computeIfAbsent(members, any -> Objects.requireNonNull(readerOf.apply(policy)));
  }

  boolean canReplace(Policy bound, Policy replacement) {
    try {
      BucketSpec spec = bound.spec();
      if (!haveOneBucket(spec, replacement.spec())) {
        throw new IllegalArgumentException(
            "it counts in a different bucket than the policy that it replaces: " + spec);
      }
      requireCounted(replacement);
      return true;
    } catch (RuntimeException | LinkageError unusable) {
      warn(bound.name(), unusable);
      return false;
    }
  }

  /** Another burst comes with another limit; all the rest stays as the bound policy has it. */
  private static boolean haveOneBucket(BucketSpec one, BucketSpec other) {
    return one.equals(other)
        || one.name().equals(other.name())
            && one.algorithm() == other.algorithm()
            && one.windowMicros() == other.windowMicros()
            && one.hasRefill() == other.hasRefill()
            && one.strict() == other.strict()
            && one.clears() == other.clears()
            && one.calendar().equals(other.calendar());
  }

  private void requireCounted(Policy policy) {
    if (!store.counts(policy.spec())) {
      throw new IllegalArgumentException("the store doesn't count buckets of " + policy.spec());
    }
  }

  private void warn(String policy, Throwable unusable) {
    if (warned.size() < MAX_READERS && warned.add(policy)) {
      LOG.log(
          System.Logger.Level.ERROR,
          "The policy "
              + policy
              + " of the PolicySource can't be used and is ignored: "
              + unusable.getMessage());
    }
  }
}
