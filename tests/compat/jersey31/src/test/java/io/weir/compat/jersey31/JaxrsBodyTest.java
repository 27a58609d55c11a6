package io.weir.compat.jersey31;

import io.weir.compat.servlet.JaxrsBodyContract;
import io.weir.compat.servlet.TomcatServer;
import jakarta.servlet.Servlet;
import java.util.Set;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

class JaxrsBodyTest implements JaxrsBodyContract, TomcatServer {
  @Override
  public Servlet jaxrs(Set<Object> instances) {
    return new ServletContainer(new ResourceConfig().registerInstances(instances));
  }
}
