package io.weir.architecture.breach.jaxrs;

import io.weir.architecture.breach.adapter.AtHome;

/** No breach. */
interface SeesTheAdapter {
  AtHome adapter();
}
