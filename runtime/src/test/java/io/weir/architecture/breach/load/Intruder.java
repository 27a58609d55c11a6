package io.weir.architecture.breach.load;

/** Looks into inner packages. */
interface Intruder {
  io.weir.architecture.breach.policy.draft.Breach draft();

  io.weir.architecture.breach.jaxrs.container.Breach container();
}
