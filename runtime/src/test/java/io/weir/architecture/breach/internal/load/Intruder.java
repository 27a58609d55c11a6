package io.weir.architecture.breach.internal.load;

/** Looks into inner packages. */
interface Intruder {
  io.weir.architecture.breach.internal.policy.draft.Breach draft();

  io.weir.architecture.breach.internal.engine.warmup.Breach warmUp();

  io.weir.architecture.breach.internal.container.Breach container();

  io.weir.architecture.breach.internal.redis.address.Breach address();

  io.weir.architecture.breach.internal.redis.connection.Breach link();

  io.weir.architecture.breach.internal.writeback.lease.Breach lease();

  io.weir.architecture.breach.internal.writeback.debt.Breach debt();

  io.weir.architecture.breach.internal.writeback.channel.Breach channel();
}
