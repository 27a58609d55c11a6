package io.weir.compat.stacks.cxf42;

import io.weir.compat.stack.CheckedResources;
import io.weir.compat.stack.StackMain;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.ext.RuntimeDelegate;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.jaxrs.JAXRSServerFactoryBean;

/** The application as a server of CXF, which starts Jetty by itself. */
final class Application {
  private Application() {}

  public static void main(String[] args) throws IOException {
    StackMain.run(Application::start);
  }

  private static AutoCloseable start(int port) {
    Bus bus = BusFactory.newInstance().createBus();
    JAXRSServerFactoryBean factory =
        RuntimeDelegate.getInstance().createEndpoint(new Resources(), JAXRSServerFactoryBean.class);
    factory.setBus(bus);
    factory.setAddress("http://127.0.0.1:" + port + "/");
    Server server = factory.create();
    return () -> {
      server.destroy();
      bus.shutdown(true);
    };
  }

  /** Names all classes, since CXF doesn't scan for them. */
  private static final class Resources extends jakarta.ws.rs.core.Application {
    @Override
    public Set<Class<?>> getClasses() {
      Set<Class<?>> classes = new HashSet<>(CheckedResources.classes());
      classes.add(RateLimitFeature.class);
      return classes;
    }
  }
}
