package io.weir.compat.jersey40;

import io.weir.compat.jaxrs.JaxrsSuite;
import io.weir.compat.jaxrs.LifeTests;
import io.weir.compat.jaxrs.ThreadTests;
import io.weir.compat.jaxrs.server.Server;
import io.weir.seeds.RunOneIn;
import java.net.URI;
import java.util.Set;
import org.glassfish.jersey.jetty.JettyHttpContainerFactory;
import org.glassfish.jersey.server.ResourceConfig;

@RunOneIn(5)
class JettyTest extends JaxrsSuite implements ThreadTests, LifeTests {
  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) {
    ResourceConfig application =
        new ResourceConfig().registerClasses(classes).registerInstances(instances);
    org.eclipse.jetty.server.Server server =
        JettyHttpContainerFactory.createServer(URI.create("http://127.0.0.1:0/"), application);
    return new Server(URI.create("http://127.0.0.1:" + server.getURI().getPort()), server::stop);
  }
}
