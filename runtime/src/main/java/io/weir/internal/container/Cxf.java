package io.weir.internal.container;

import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.cxf.interceptor.InterceptorChain;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.apache.cxf.transport.MessageObserver;
import org.jspecify.annotations.Nullable;

/**
 * Apache CXF, which knows the message that a thread works on, and passes an exception that nothing
 * maps to an observer of faults. Loaded only if CXF runs the application.
 *
 * <p>Safe for concurrent use.
 */
final class Cxf implements JaxrsImplementation {
  @Override
  public boolean watchesThreads() {
    return true;
  }

  @Override
  public Optional<ThreadWatch> watchThread(
      Runnable left, Consumer<BiConsumer<String, String>> unanswered) {
    @Nullable Message message = PhaseInterceptorChain.getCurrentMessage();
    if (message == null) {
      return Optional.empty();
    }
    observeFaults(message, unanswered);
    return Optional.of(new Watch(message.getExchange()));
  }

  /** Completes the request before the fault is handled, which may answer the caller. */
  private static void observeFaults(
      Message message, Consumer<BiConsumer<String, String>> unanswered) {
    @Nullable InterceptorChain chain = message.getInterceptorChain();
    if (chain == null) {
      return;
    }
    @Nullable MessageObserver usual = chain.getFaultObserver();
    chain.setFaultObserver(
        fault -> {
          unanswered.accept(fields(message));
          if (usual != null) {
            usual.onMessage(fault);
          }
        });
  }

  private static BiConsumer<String, String> fields(Message message) {
    @Nullable Object response = message.get("HTTP.RESPONSE");
    return response != null && ClassPresence.isPresent(WebContainerDetector.SERVLET)
        ? ServletFields.of(response)
        : (name, value) -> {};
  }

  /** Loaded only if the servlet API is on the class path. */
  private static final class ServletFields {
    private ServletFields() {}

    static BiConsumer<String, String> of(Object response) {
      return response instanceof HttpServletResponse http && !http.isCommitted()
          ? http::setHeader
          : (name, value) -> {};
    }
  }

  private record Watch(Exchange exchange) implements ThreadWatch {
    @Override
    public boolean isServedHere() {
      @Nullable Message current = PhaseInterceptorChain.getCurrentMessage();
      return current != null && current.getExchange() == exchange;
    }

    @Override
    public boolean hasLeft() {
      return !isServedHere();
    }
  }
}
