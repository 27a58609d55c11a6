package io.weir.compat.stacks.cxf41;

import io.weir.compat.servlet.JaxrsPreflightContract;
import io.weir.compat.servlet.TomcatServer;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import java.util.Set;
import org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet;

class JaxrsPreflightTest implements JaxrsPreflightContract, TomcatServer {
  @Override
  public Servlet jaxrs(ServletContext context, Set<Object> instances) {
    return new CXFNonSpringJaxrsServlet(new TomcatSuiteTest.Resources(Set.of(), instances));
  }
}
