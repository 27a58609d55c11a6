package io.weir.architecture.breach.jaxrs;

import io.weir.architecture.breach.internal.guard.AtHome;

/** No breach. */
interface SeesTheGuard {
  AtHome guard();
}
