package io.weir.architecture.breach.load;

/** Looks into inner packages. */
interface Intruder {
  io.weir.architecture.breach.policy.draft.Breach draft();

  io.weir.architecture.breach.jaxrs.container.Breach container();

  io.weir.architecture.breach.redis.address.Breach address();

  io.weir.architecture.breach.redis.link.Breach link();
}
