package io.weir.internal.engine;

import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.Mode;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.LoadSensor;
import java.util.List;
import java.util.Optional;

/**
 * Computes the limits in force: by the load of this node, less what is reserved for nodes that
 * can't reach the store.
 *
 * <p>Safe for concurrent use.
 */
final class LimitCalculator {
  private final LoadSensor sensor;
  private final OutageReserve reserve;
  private final SafeCalls calls =
      new SafeCalls(System.getLogger("io.weir"), "The load can't be read and counts as 0");

  LimitCalculator(LoadSensor sensor, OutageReserve reserve) {
    this.sensor = sensor;
    this.reserve = reserve;
  }

  OutageReserve reserve() {
    return reserve;
  }

  EffectiveLimit of(Policy policy, long limit) {
    return of(policy, limit, load(policy));
  }

  EffectiveLimit of(Policy policy, long limit, int load) {
    return reserve.deductedFrom(EffectiveLimit.of(policy, limit, load), policy);
  }

  /** The part of the reserve that one degraded node may admit; nothing if that isn't a permit. */
  Optional<EffectiveLimit> reservedShare(Policy policy, long limit, int liveNodes) {
    return reserve.share(EffectiveLimit.of(policy, limit, load(policy)), policy, liveNodes);
  }

  /** The load in parts per million, read once for all; 0 where no policy depends on it. */
  int load(List<PermitRequest> requests) {
    for (PermitRequest request : requests) {
      if (request.policy().mode() == Mode.ELASTIC) {
        return read();
      }
    }
    return 0;
  }

  private int load(Policy policy) {
    return policy.mode() == Mode.ELASTIC ? read() : 0;
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
