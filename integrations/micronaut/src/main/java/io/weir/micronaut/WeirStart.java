package io.weir.micronaut;

import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.Context;
import io.weir.adapter.Adapter;
import java.util.Optional;
import java.util.Set;

/** Checks all limits when the application starts, so that mistakes in them stop it. */
@Context
final class WeirStart {
  private static final System.Logger LOG = System.getLogger("io.weir.micronaut");

  WeirStart(
      Adapter adapter, Optional<LimitedRoutes> routes, LimitedBeans limited, BeanContext beans) {
    routes.ifPresent(LimitedRoutes::check);
    limited.check(routes.map(LimitedRoutes::methods).orElse(Set.of()));
    if (routes.isPresent()) {
      FilterPositions.warn(beans);
    }
    adapter.started();
    LOG.log(System.Logger.Level.INFO, adapter.weir()::table);
  }
}
