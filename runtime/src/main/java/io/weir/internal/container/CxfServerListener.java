package io.weir.internal.container;

import java.util.Set;
import java.util.stream.Stream;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.endpoint.ServerLifeCycleListener;
import org.apache.cxf.jaxrs.provider.ServerProviderFactory;
import org.apache.cxf.service.Service;

/**
 * Follows the threads of applications that Apache CXF runs and the ends of their requests, and
 * reports the end of the application. CXF makes one for each of its buses, since {@code
 * META-INF/cxf/bus-extensions.txt} names it; so the class is public.
 *
 * <p>Safe for concurrent use.
 */
public final class CxfServerListener implements ServerLifeCycleListener {
  /** Follows its requests, if Weir's filter is among its providers. */
  @Override
  public void startServer(Server server) {
    if (listeners(server).findAny().isPresent()) {
      Service service = server.getEndpoint().getService();
      if (!(service.getInvoker() instanceof Cxf.BindingInvoker)) {
        service.setInvoker(new Cxf.BindingInvoker(service.getInvoker()));
      }
      Cxf.EndObserver.observe(server);
    }
  }

  @Override
  public void stopServer(Server server) {
    listeners(server).forEach(EndListener::ended);
  }

  /** Finds Weir's filter among the providers of a server; nothing if it serves no JAX-RS. */
  private static Stream<EndListener> listeners(Server server) {
    Object providers = server.getEndpoint().get(ServerProviderFactory.class.getName());
    return providers instanceof ServerProviderFactory factory
        ? factory.getPostMatchContainerRequestFilters(Set.of()).stream()
            .map(each -> each.getProvider())
            .filter(EndListener.class::isInstance)
            .map(EndListener.class::cast)
        : Stream.empty();
  }
}
