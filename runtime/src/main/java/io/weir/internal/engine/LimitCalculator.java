package io.weir.internal.engine;

import io.weir.Key;
import io.weir.LoadCurve;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Mode;
import io.weir.annotation.Priority;
import io.weir.internal.extension.SafeCalls;
import io.weir.internal.permits.RegionPart;
import io.weir.internal.region.RegionShares;
import io.weir.spi.LoadSensor;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Computes the limits in force: this region's part of them, by the load of this node, minus the
 * reserve for nodes that can't reach the store.
 *
 * <p>Safe for concurrent use.
 */
final class LimitCalculator {
  private final LoadSensor sensor;
  private final OutageReserve reserve;
  private final Function<Priority, LoadCurve> curves;
  private final LongSupplier livedMicros;
  private final RegionShares shares;
  private final Consumer<Policy> lacksPart;
  private final SafeCalls calls =
      new SafeCalls(System.getLogger("io.weir"), "The load can't be read, so it counts as 0");

  /** Leaves limits whole, as in an application without regions. */
  LimitCalculator(
      LoadSensor sensor,
      OutageReserve reserve,
      Function<Priority, LoadCurve> curves,
      LongSupplier livedMicros) {
    this(sensor, reserve, curves, livedMicros, RegionShares.NONE, policy -> {});
  }

  /**
   * Takes the age of this node as {@code livedMicros}.
   *
   * @param lacksPart takes a policy that admits nothing to a caller, since this region's part of
   *     the limit is less than a permit
   */
  LimitCalculator(
      LoadSensor sensor,
      OutageReserve reserve,
      Function<Priority, LoadCurve> curves,
      LongSupplier livedMicros,
      RegionShares shares,
      Consumer<Policy> lacksPart) {
    this.sensor = sensor;
    this.reserve = reserve;
    this.curves = curves;
    this.livedMicros = livedMicros;
    this.shares = shares;
    this.lacksPart = lacksPart;
  }

  /** Returns a calculator for a region with other shares, by the load of this node. */
  LimitCalculator ofRegion(RegionShares its) {
    return new LimitCalculator(sensor, reserve, curves, livedMicros, its, policy -> {});
  }

  OutageReserve reserve() {
    return reserve;
  }

  /** Returns whether limits of a policy are divided, so that they depend on the bucket. */
  boolean divides(Policy policy) {
    return shares.divides(policy);
  }

  EffectiveLimit of(Policy policy, Key key, long limit) {
    return of(policy, key, limit, load(policy));
  }

  EffectiveLimit of(PermitRequest request) {
    return bringsLoad(request)
        ? of(request, 0)
        : of(request.policy(), request.key(), request.limit());
  }

  /**
   * Computes by the load that the request brings, else by one that was read for several requests.
   */
  EffectiveLimit of(PermitRequest request, int load) {
    return of(
        request.policy(),
        request.key(),
        request.limit(),
        bringsLoad(request) ? partsPerMillion(request.load()) : load);
  }

  private EffectiveLimit of(Policy policy, Key key, long limit, int load) {
    return reserve.deductedFrom(withReserve(policy, key, limit, load), policy);
  }

  /** Computes the limit for charges and give-backs, which is never nothing. */
  EffectiveLimit ofAccounts(PermitRequest request) {
    EffectiveLimit now = of(request.policy(), request.key(), request.limit());
    return now.isNothing() ? now.nominal() : now;
  }

  private EffectiveLimit withReserve(PermitRequest request) {
    Policy policy = request.policy();
    return withReserve(policy, request.key(), request.limit(), load(policy));
  }

  private EffectiveLimit withReserve(Policy policy, Key key, long limit, int load) {
    Priority priority = policy.priority();
    if (divides(policy)) {
      RegionPart part = part(policy, key, limit);
      return priority == Priority.NONE
          ? EffectiveLimit.of(policy, part, load)
          : EffectiveLimit.of(policy, part, load, curves.apply(priority));
    }
    return priority == Priority.NONE
        ? EffectiveLimit.of(policy, limit, load)
        : EffectiveLimit.of(policy, limit, load, curves.apply(priority));
  }

  private RegionPart part(Policy policy, Key key, long limit) {
    int remainder = RegionShares.remainder(policy.spec(), key);
    RegionPart part = shares.partOf(policy, limit, EffectiveLimit.kept(policy, limit), remainder);
    if (part.isNothing()) {
      lacksPart.accept(policy);
    }
    return part;
  }

  /** Returns whether the load changes what a policy admits. */
  static boolean followsLoad(Policy policy) {
    return policy.mode() == Mode.ELASTIC || policy.priority() != Priority.NONE;
  }

  /** Returns whether the request brings a load that decides instead of this node's. */
  static boolean bringsLoad(PermitRequest request) {
    return !Double.isNaN(request.load()) && followsLoad(request.policy());
  }

  /**
   * Returns whether no earlier node can have spent this node's share of the reserve in this window.
   */
  boolean ownsReserve(PermitRequest request) {
    return livedMicros.getAsLong()
        >= OutageReserve.ownAfterMicros(request.policy(), withReserve(request));
  }

  /**
   * Returns the share of the reserve that one degraded node may admit; empty if it is less than a
   * permit.
   */
  Optional<EffectiveLimit> reservedShare(PermitRequest request, int liveNodes) {
    return reserve.share(withReserve(request), request.policy(), liveNodes);
  }

  /** Reads the load once for all, in parts per million; 0 if no policy depends on it. */
  int load(List<PermitRequest> requests) {
    for (PermitRequest request : requests) {
      if (followsLoad(request.policy())) {
        return read();
      }
    }
    return 0;
  }

  private int load(Policy policy) {
    return followsLoad(policy) ? read() : 0;
  }

  private int read() {
    try {
      return partsPerMillion(sensor.load());
    } catch (Throwable broken) {
      calls.failed(broken);
      return 0;
    }
  }

  /** Converts a load, brought into the range of 0 to 1; NaN counts as 0. */
  static int partsPerMillion(double load) {
    return load > 0 ? (int) Math.round(Math.min(1, load) * EffectiveLimit.MILLION) : 0;
  }
}
