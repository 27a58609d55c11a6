package io.weir.quarkus.grpc;

import io.quarkus.runtime.RuntimeValue;
import io.quarkus.runtime.annotations.Recorder;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;

/** Hands the services that the build has found on to the application. */
@Recorder
public class GrpcRecorder {
  /** Called by Quarkus. */
  public GrpcRecorder() {}

  /**
   * Makes the list.
   *
   * @param annotated the classes that carry annotations, by those that Quarkus binds
   * @return the list
   */
  public RuntimeValue<GrpcServices> services(Map<String, String> annotated) {
    return new RuntimeValue<>(new GrpcServices(annotated));
  }

  /**
   * Returns the filter of all requests of HTTP that decides calls before the sign-in.
   *
   * @return runs in event loops
   */
  public Handler<RoutingContext> filter() {
    return HttpPhase.isNeeded() ? new HttpPhase() : RoutingContext::next;
  }
}
