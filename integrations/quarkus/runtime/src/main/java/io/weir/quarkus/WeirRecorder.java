package io.weir.quarkus;

import io.quarkus.arc.Arc;
import io.quarkus.arc.InstanceHandle;
import io.quarkus.arc.runtime.BeanContainer;
import io.quarkus.runtime.ShutdownContext;
import io.quarkus.runtime.annotations.Recorder;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.Adapter;
import io.weir.quarkus.rest.ClassicLimits;
import io.weir.quarkus.rest.ResourceLimits;

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
    return beans.beanInstance(ResourceLimits.class).filter();
  }

  /**
   * Notes where the resources of RESTEasy Classic are.
   *
   * @param beans the application's
   * @param path of all resources
   */
  public void serveBelow(BeanContainer beans, String path) {
    beans.beanInstance(ClassicLimits.class).serveBelow(path);
  }

  /**
   * Validates all annotations and settings before the server opens.
   *
   * @param beans the application's
   * @param shutdown ends with the application
   * @throws io.weir.InvalidPolicyException if there are mistakes; the message lists all
   */
  public void start(BeanContainer beans, ShutdownContext shutdown) {
    Adapter adapter = beans.beanInstance(Adapter.class);
    shutdown.addShutdownTask(adapter::close);
    InstanceHandle<ResourceLimits> resources = Arc.container().instance(ResourceLimits.class);
    if (resources.isAvailable()) {
      resources.get().start(adapter);
    }
    Arc.container().beanManager().getEvent().select(Adapter.class).fire(adapter); // to weir-cdi
    adapter.started();
    LOG.log(System.Logger.Level.INFO, adapter.weir()::table);
  }
}
