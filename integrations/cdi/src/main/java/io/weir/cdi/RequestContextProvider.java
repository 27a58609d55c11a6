package io.weir.cdi;

import io.weir.adapter.LimitedCall;
import io.weir.adapter.LimitedRequest;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.context.spi.ThreadContextProvider;
import org.eclipse.microprofile.context.spi.ThreadContextSnapshot;

/**
 * Binds the request of a thread to the threads in which its work goes on, where the application
 * uses MicroProfile Context Propagation, by itself or through Mutiny. Found as a service.
 *
 * <p>Safe for concurrent use.
 */
public final class RequestContextProvider implements ThreadContextProvider {
  /** Called by the implementation of MicroProfile. */
  public RequestContextProvider() {}

  /**
   * Names the context.
   *
   * @return {@code Weir}
   */
  @Override
  public String getThreadContextType() {
    return "Weir";
  }

  @Override
  public ThreadContextSnapshot currentContext(Map<String, String> properties) {
    Optional<LimitedRequest> request = LimitedCall.currentRequest();
    return request.isEmpty() ? clearedContext(properties) : () -> request.get().bind(null)::close;
  }

  @Override
  public ThreadContextSnapshot clearedContext(Map<String, String> properties) {
    return () -> {
      Optional<LimitedRequest.Binding> hidden =
          LimitedCall.currentRequest().map(LimitedRequest::hide);
      return () -> hidden.ifPresent(LimitedRequest.Binding::close);
    };
  }
}
