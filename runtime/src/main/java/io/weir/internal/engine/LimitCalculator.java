package io.weir.internal.engine;

import io.weir.LoadCurve;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Mode;
import io.weir.annotation.Priority;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.LoadSensor;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Computes the limits in force: by the load of this node, less what is reserved for nodes that
 * can't reach the store.
 *
 * <p>Safe for concurrent use.
 */
final class LimitCalculator {
  private final LoadSensor sensor;
  private final OutageReserve reserve;
  private final Function<Priority, LoadCurve> curves;
  private final LongSupplier livedMicros;
  private final SafeCalls calls =
      new SafeCalls(System.getLogger("io.weir"), "The load can't be read and counts as 0");

  /**
   * By a load and a reserve.
   *
   * @param livedMicros for how long this node has lived
   */
  LimitCalculator(
      LoadSensor sensor,
      OutageReserve reserve,
      Function<Priority, LoadCurve> curves,
      LongSupplier livedMicros) {
    this.sensor = sensor;
    this.reserve = reserve;
    this.curves = curves;
    this.livedMicros = livedMicros;
  }

  OutageReserve reserve() {
    return reserve;
  }

  EffectiveLimit of(Policy policy, long limit) {
    return of(policy, limit, load(policy));
  }

  EffectiveLimit of(PermitRequest request) {
    return bringsLoad(request) ? of(request, 0) : of(request.policy(), request.limit());
  }

  /** By the load that the request brings, else by one that was read for several. */
  EffectiveLimit of(PermitRequest request, int load) {
    return of(
        request.policy(),
        request.limit(),
        bringsLoad(request) ? partsPerMillion(request.load()) : load);
  }

  EffectiveLimit of(Policy policy, long limit, int load) {
    return reserve.deductedFrom(whole(policy, limit, load), policy);
  }

  /** By what permits are charged or given back, which is never nothing. */
  EffectiveLimit ofAccounts(Policy policy, long limit) {
    EffectiveLimit now = of(policy, limit);
    return now.isNothing() ? now.nominal() : now;
  }

  private EffectiveLimit whole(Policy policy, long limit, int load) {
    Priority priority = policy.priority();
    return priority == Priority.NONE
        ? EffectiveLimit.of(policy, limit, load)
        : EffectiveLimit.of(policy, limit, load, curves.apply(priority));
  }

  /** Whether the load changes what a policy admits. */
  static boolean followsLoad(Policy policy) {
    return policy.mode() == Mode.ELASTIC || policy.priority() != Priority.NONE;
  }

  /** Whether another load than that of this node decides. */
  static boolean bringsLoad(PermitRequest request) {
    return !Double.isNaN(request.load()) && followsLoad(request.policy());
  }

  /** Whether nobody before this node can have spent its part of the reserve in this window. */
  boolean ownsReserve(Policy policy, long limit) {
    EffectiveLimit whole = whole(policy, limit, load(policy));
    return livedMicros.getAsLong() >= OutageReserve.ownAfterMicros(policy, whole);
  }

  /** The part of the reserve that one degraded node may admit; nothing if that isn't a permit. */
  Optional<EffectiveLimit> reservedShare(Policy policy, long limit, int liveNodes) {
    return reserve.share(whole(policy, limit, load(policy)), policy, liveNodes);
  }

  /** The load in parts per million, read once for all; 0 where no policy depends on it. */
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

  /** Brings a load into the range of 0 to 1; NaN counts as 0. */
  static int partsPerMillion(double load) {
    return load > 0 ? (int) Math.round(Math.min(1, load) * EffectiveLimit.MILLION) : 0;
  }
}
