package io.weir.compat.jetty121;

import io.weir.compat.servlet.JaxrsPreflightContract;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import java.util.Set;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.servlet.ServletContainer;

class JaxrsPreflightTest implements JaxrsPreflightContract, JettyServer {
  @Override
  public Servlet jaxrs(ServletContext context, Set<Object> instances) {
    return new ServletContainer(new ResourceConfig().registerInstances(instances));
  }
}
