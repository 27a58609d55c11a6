package io.weir.compat.stacks.cxf41;

import io.weir.compat.jaxrs.WrappedRequestTests;
import jakarta.servlet.Servlet;
import java.util.Set;
import org.apache.cxf.jaxrs.servlet.CXFNonSpringJaxrsServlet;

class WrappedRequestTest extends WrappedRequestTests {
  @Override
  protected Servlet servlet(Set<Object> instances) {
    return new CXFNonSpringJaxrsServlet(new TomcatSuiteTest.Resources(Set.of(), instances));
  }
}
