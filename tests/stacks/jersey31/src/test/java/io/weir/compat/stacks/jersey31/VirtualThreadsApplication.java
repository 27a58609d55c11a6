package io.weir.compat.stacks.jersey31;

import io.weir.compat.stack.CheckedResources;
import io.weir.compat.stack.StackMain;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

/**
 * The application on Grizzly, each request in a virtual thread of its own. Calls what Java 21 has
 * by reflection, since the module is compiled for 17.
 */
final class VirtualThreadsApplication {
  private VirtualThreadsApplication() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(
        port -> {
          HttpServer server =
              GrizzlyHttpServerFactory.createHttpServer(
                  URI.create("http://127.0.0.1:" + port + "/"),
                  new ResourceConfig(CheckedResources.classes())
                      .register(RateLimitFeature.class)
                      .register(OnlyVirtualThreads.class),
                  false);
          ExecutorService threads = newThreads();
          server.getListeners().forEach(each -> each.getTransport().setWorkerThreadPool(threads));
          server.start();
          return () -> {
            server.shutdownNow();
            threads.shutdownNow();
          };
        });
  }

  private static ExecutorService newThreads() throws ReflectiveOperationException {
    return (ExecutorService)
        Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
  }

  /** Fails each request that another thread runs, so that the checks are about virtual ones. */
  @PreMatching
  static final class OnlyVirtualThreads implements ContainerRequestFilter {
    @Override
    public void filter(ContainerRequestContext context) {
      try {
        if (!(boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread())) {
          throw new IllegalStateException(Thread.currentThread() + " isn't a virtual thread");
        }
      } catch (ReflectiveOperationException olderJava) {
        throw new IllegalStateException(olderJava);
      }
    }
  }
}
