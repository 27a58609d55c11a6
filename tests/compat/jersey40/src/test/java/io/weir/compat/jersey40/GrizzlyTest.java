package io.weir.compat.jersey40;

import io.weir.compat.jaxrs.JaxrsSuite;
import io.weir.compat.jaxrs.LifeTests;
import io.weir.compat.jaxrs.RegistrationTests;
import io.weir.compat.jaxrs.ThreadTests;
import io.weir.compat.jaxrs.server.Server;
import io.weir.seeds.RunOneIn;
import java.net.URI;
import java.util.Set;
import org.glassfish.grizzly.http.server.HttpServer;
import org.glassfish.jersey.grizzly2.httpserver.GrizzlyHttpServerFactory;
import org.glassfish.jersey.server.ResourceConfig;

@RunOneIn(5)
class GrizzlyTest extends JaxrsSuite implements RegistrationTests, ThreadTests, LifeTests {
  @Override
  protected Server start(Set<Class<?>> classes, Set<Object> instances) {
    ResourceConfig application =
        new ResourceConfig().registerClasses(classes).registerInstances(instances);
    HttpServer server =
        GrizzlyHttpServerFactory.createHttpServer(URI.create("http://127.0.0.1:0/"), application);
    int port = server.getListener("grizzly").getPort();
    return new Server(URI.create("http://127.0.0.1:" + port), server::shutdownNow);
  }
}
