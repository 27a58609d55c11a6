package io.weir.compat.jersey31;

import io.weir.compat.jaxrs.BothAdaptersTests;
import jakarta.servlet.Servlet;
import java.util.Set;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

class BothAdaptersTest extends BothAdaptersTests {
  @Override
  protected Servlet servlet(Set<Object> instances) {
    return new ServletContainer(new ResourceConfig().registerInstances(instances));
  }
}
