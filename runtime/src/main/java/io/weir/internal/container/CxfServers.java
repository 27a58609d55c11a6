package io.weir.internal.container;

import java.util.Set;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.endpoint.ServerLifeCycleListener;
import org.apache.cxf.jaxrs.provider.ServerProviderFactory;

/**
 * Reports the end of applications that Apache CXF runs. CXF makes one for each of its buses, since
 * {@code META-INF/cxf/bus-extensions.txt} names it; so the class is public.
 *
 * <p>Safe for concurrent use.
 */
public final class CxfServers implements ServerLifeCycleListener {
  /** Called by CXF. */
  public CxfServers() {}

  @Override
  public void startServer(Server server) {}

  /** Finds Weir's filter among those of a server that has stopped, if it serves JAX-RS. */
  @Override
  public void stopServer(Server server) {
    Object providers = server.getEndpoint().get(ServerProviderFactory.class.getName());
    if (providers instanceof ServerProviderFactory factory) {
      factory.getPostMatchContainerRequestFilters(Set.of()).stream()
          .map(each -> each.getProvider())
          .filter(EndListener.class::isInstance)
          .map(EndListener.class::cast)
          .forEach(EndListener::ended);
    }
  }
}
