package io.weir.compat.stacks.undertow;

import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.ErrorPage;
import io.undertow.servlet.api.FilterInfo;
import io.undertow.servlet.api.ListenerInfo;
import io.undertow.servlet.api.SecurityConstraint;
import io.undertow.servlet.api.SecurityInfo;
import io.undertow.servlet.api.ServletInfo;
import io.undertow.servlet.api.WebResourceCollection;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.List;
import java.util.function.BiConsumer;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Reads those elements of web.xml that the tests use, which Undertow alone doesn't read. */
final class WebXml {
  private final DeploymentInfo application;

  private WebXml(DeploymentInfo application) {
    this.application = application;
  }

  /** Adds what the web.xml of a directory describes to an application. */
  static void read(Path webApp, DeploymentInfo application) throws Exception {
    WebXml reader = new WebXml(application);
    Element root =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(webApp.resolve("WEB-INF/web.xml").toFile())
            .getDocumentElement();
    for (Element each : children(root)) {
      reader.add(each);
    }
  }

  private void add(Element element) throws ClassNotFoundException {
    switch (element.getTagName()) {
      case "context-param" ->
          application.addInitParameter(text(element, "param-name"), text(element, "param-value"));
      case "filter" -> addFilter(element);
      case "filter-mapping" -> addFilterMappings(element);
      case "servlet" -> addServlet(element);
      case "servlet-mapping" ->
          application
              .getServlets()
              .get(text(element, "servlet-name"))
              .addMapping(text(element, "url-pattern"));
      case "listener" ->
          application.addListener(
              new ListenerInfo(
                  find(text(element, "listener-class")).asSubclass(EventListener.class)));
      case "error-page" -> application.addErrorPage(new ErrorPage(text(element, "location")));
      case "security-constraint" -> application.addSecurityConstraint(closed(element));
      case "welcome-file-list" -> application.addWelcomePage(text(element, "welcome-file"));
      default -> throw new IllegalArgumentException(element.getTagName());
    }
  }

  /** Makes a constraint that names no role, and so lets nobody in. */
  private static SecurityConstraint closed(Element element) {
    WebResourceCollection resources = new WebResourceCollection();
    children(element).forEach(each -> resources.addUrlPatterns(texts(each, "url-pattern")));
    return new SecurityConstraint()
        .addWebResourceCollection(resources)
        .setEmptyRoleSemantic(SecurityInfo.EmptyRoleSemantic.DENY);
  }

  private void addFilter(Element element) throws ClassNotFoundException {
    FilterInfo filter =
        new FilterInfo(
            text(element, "filter-name"),
            find(text(element, "filter-class")).asSubclass(Filter.class));
    filter.setAsyncSupported(isAsync(element));
    readParameters(element, filter::addInitParam);
    application.addFilter(filter);
  }

  private void addServlet(Element element) throws ClassNotFoundException {
    ServletInfo servlet =
        new ServletInfo(
            text(element, "servlet-name"),
            find(text(element, "servlet-class")).asSubclass(Servlet.class));
    servlet.setAsyncSupported(isAsync(element));
    readParameters(element, servlet::addInitParam);
    application.addServlet(servlet);
  }

  private void addFilterMappings(Element element) {
    String filter = text(element, "filter-name");
    List<String> dispatchers = texts(element, "dispatcher");
    for (String each : dispatchers.isEmpty() ? List.of("REQUEST") : dispatchers) {
      DispatcherType type = DispatcherType.valueOf(each);
      texts(element, "url-pattern")
          .forEach(pattern -> application.addFilterUrlMapping(filter, pattern, type));
      texts(element, "servlet-name")
          .forEach(name -> application.addFilterServletNameMapping(filter, name, type));
    }
  }

  private static void readParameters(Element element, BiConsumer<String, String> parameters) {
    children(element).stream()
        .filter(each -> each.getTagName().equals("init-param"))
        .forEach(each -> parameters.accept(text(each, "param-name"), text(each, "param-value")));
  }

  private static boolean isAsync(Element element) {
    return texts(element, "async-supported").contains("true");
  }

  private static Class<?> find(String name) throws ClassNotFoundException {
    return Class.forName(name, false, WebXml.class.getClassLoader());
  }

  private static String text(Element element, String child) {
    return texts(element, child).get(0);
  }

  private static List<String> texts(Element element, String child) {
    return children(element).stream()
        .filter(each -> each.getTagName().equals(child))
        .map(each -> each.getTextContent().strip())
        .toList();
  }

  private static List<Element> children(Element element) {
    List<Element> children = new ArrayList<>();
    for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
      if (each instanceof Element child) {
        children.add(child);
      }
    }
    return children;
  }
}
