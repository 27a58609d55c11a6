package io.weir.quarkus;

import io.quarkus.arc.Arc;
import io.quarkus.arc.runtime.BeanContainer;
import io.quarkus.runtime.ShutdownContext;
import io.quarkus.runtime.annotations.Recorder;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.Adapter;
import io.weir.quarkus.rest.RestLimits;

/** Starts Weir with the application, as the build has recorded it. */
@Recorder
public class WeirRecorder {
  private static final System.Logger LOG = System.getLogger("io.weir.quarkus");

  /** Called by Quarkus. */
  public WeirRecorder() {}

  /**
   * Returns the filter of all requests that decides what needs no user.
   *
   * @param beans the application's
   * @return runs in event loops
   */
  public Handler<RoutingContext> filter(BeanContainer beans) {
    return beans.beanInstance(RestLimits.class).filter();
  }

  /**
   * Validates all annotations and settings before the server opens.
   *
   * @param beans the application's
   * @param hasRest whether the application has Quarkus REST
   * @param shutdown ends with the application
   * @throws io.weir.InvalidPolicyException if there are mistakes; the message lists all
   */
  public void start(BeanContainer beans, boolean hasRest, ShutdownContext shutdown) {
    Adapter adapter = beans.beanInstance(Adapter.class);
    shutdown.addShutdownTask(adapter::close);
    if (hasRest) {
      beans.beanInstance(RestLimits.class).start(adapter);
    }
    Arc.container().beanManager().getEvent().select(Adapter.class).fire(adapter); // to weir-cdi
    adapter.started();
    LOG.log(System.Logger.Level.INFO, adapter.weir()::table);
  }
}
