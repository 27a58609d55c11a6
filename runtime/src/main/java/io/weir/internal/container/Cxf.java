package io.weir.internal.container;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.cxf.endpoint.Endpoint;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.endpoint.ServerLifeCycleListener;
import org.apache.cxf.endpoint.ServerLifeCycleManager;
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
  private final AtomicReference<@Nullable Endpoint> endpoint = new AtomicReference<>();
  private volatile Runnable ended = () -> {};

  @Override
  public boolean watchesThreads() {
    return true;
  }

  @Override
  public Optional<ThreadWatch> watchThread(Runnable left, Runnable unanswered) {
    @Nullable Message message = PhaseInterceptorChain.getCurrentMessage();
    if (message == null) {
      return Optional.empty();
    }
    Exchange exchange = message.getExchange();
    observeEnd(exchange);
    observeFaults(message.getInterceptorChain(), unanswered);
    return Optional.of(new Watch(exchange));
  }

  /** Lets whatever handles the fault find the request completed. */
  private static void observeFaults(@Nullable InterceptorChain chain, Runnable unanswered) {
    if (chain != null) {
      @Nullable MessageObserver usual = chain.getFaultObserver();
      chain.setFaultObserver(
          fault -> {
            unanswered.run();
            if (usual != null) {
              usual.onMessage(fault);
            }
          });
    }
  }

  /** The end is that of the server with the endpoint of the application's requests. */
  private void observeEnd(Exchange exchange) {
    Endpoint mine = exchange.getEndpoint();
    if (endpoint.get() == null && endpoint.compareAndSet(null, mine)) {
      @Nullable ServerLifeCycleManager servers =
          exchange.getBus().getExtension(ServerLifeCycleManager.class);
      if (servers != null) {
        servers.registerListener(new End(mine, servers));
      }
    }
  }

  @Override
  public void whenEnded(Runnable action) {
    ended = action;
  }

  private final class End implements ServerLifeCycleListener {
    private final Endpoint mine;
    private final ServerLifeCycleManager servers;

    End(Endpoint mine, ServerLifeCycleManager servers) {
      this.mine = mine;
      this.servers = servers;
    }

    @Override
    public void startServer(Server server) {}

    @Override
    public void stopServer(Server server) {
      if (server.getEndpoint() == mine) {
        ended.run();
        servers.unRegisterListener(this);
      }
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
