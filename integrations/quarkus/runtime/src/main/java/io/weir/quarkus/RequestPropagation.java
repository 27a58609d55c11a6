package io.weir.quarkus;

import io.quarkus.arc.Arc;
import io.quarkus.arc.ArcContainer;
import io.weir.adapter.Adapter;
import io.weir.adapter.LimitedRequest;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.context.spi.ThreadContextController;
import org.eclipse.microprofile.context.spi.ThreadContextProvider;
import org.eclipse.microprofile.context.spi.ThreadContextSnapshot;

/**
 * Binds the request of a thread to those in which its work goes on, as Mutiny and managed executors
 * ask for, so that limited calls know their caller there. Found by MicroProfile Context
 * Propagation.
 *
 * <p>Safe for concurrent use.
 */
public final class RequestPropagation implements ThreadContextProvider {
  /** For MicroProfile Context Propagation. */
  public RequestPropagation() {}

  @Override
  public ThreadContextSnapshot currentContext(Map<String, String> properties) {
    Optional<LimitedRequest> bound = adapter().flatMap(Adapter::currentRequest);
    return bound.isEmpty() ? RequestPropagation::nothing : () -> bind(bound.get());
  }

  @Override
  public ThreadContextSnapshot clearedContext(Map<String, String> properties) {
    return () -> {
      Optional<LimitedRequest> bound = adapter().flatMap(Adapter::currentRequest);
      return bound.isEmpty() ? nothing() : bound.get().hide()::close;
    };
  }

  @Override
  public String getThreadContextType() {
    return "Weir";
  }

  private static ThreadContextController bind(LimitedRequest request) {
    return request.bind(null)::close;
  }

  private static ThreadContextController nothing() {
    return () -> {};
  }

  /** Returns that of the application, which may have ended. */
  private static Optional<Adapter> adapter() {
    ArcContainer beans = Arc.container();
    return beans == null || !beans.isRunning()
        ? Optional.empty()
        : Optional.ofNullable(beans.instance(Adapter.class).get());
  }
}
