package io.weir.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads filter mappings with their dispatchers, which the servlet API lacks, from web.xml. */
final class WebXml {
  private static final String PATH = "/WEB-INF/web.xml";
  private static final String MAPPING = "filter-mapping";

  private WebXml() {}

  /** One {@code <filter-mapping>}. */
  static final class Mapping {
    private String filter = "";
    private final List<String> targets = new ArrayList<>();
    private final Set<DispatcherType> dispatchers = EnumSet.noneOf(DispatcherType.class);

    String filter() {
      return filter;
    }

    /** Returns the URL patterns and the names of servlets. */
    List<String> targets() {
      return targets;
    }

    /** Returns the kinds of dispatch; only REQUEST unless set. */
    Set<DispatcherType> dispatchers() {
      return dispatchers.isEmpty() ? EnumSet.of(DispatcherType.REQUEST) : dispatchers;
    }

    private void read(XMLStreamReader xml) throws XMLStreamException {
      switch (xml.getLocalName()) {
        case "filter-name" -> filter = xml.getElementText().strip();
        case "url-pattern", "servlet-name" -> targets.add(xml.getElementText().strip());
        case "dispatcher" -> add(xml.getElementText().strip());
        default -> {}
      }
    }

    private void add(String dispatcher) {
      for (DispatcherType each : DispatcherType.values()) {
        if (each.name().equals(dispatcher)) {
          dispatchers.add(each);
        }
      }
    }
  }

  /**
   * Reads all mappings of filters.
   *
   * @return empty if there is no web.xml or it can't be read, which the container reports itself
   */
  static Optional<List<Mapping>> mappings(ServletContext context) {
    try (@Nullable InputStream file = context.getResourceAsStream(PATH)) {
      return file == null ? Optional.empty() : Optional.of(read(file));
    } catch (IOException | XMLStreamException unread) {
      return Optional.empty();
    }
  }

  private static List<Mapping> read(InputStream file) throws XMLStreamException {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    XMLStreamReader xml = factory.createXMLStreamReader(file);
    List<Mapping> mappings = new ArrayList<>();
    boolean within = false;
    while (xml.hasNext()) {
      xml.next();
      if (xml.isEndElement() && xml.getLocalName().equals(MAPPING)) {
        within = false;
      } else if (xml.isStartElement() && xml.getLocalName().equals(MAPPING)) {
        mappings.add(new Mapping());
        within = true;
      } else if (xml.isStartElement() && within) {
        mappings.get(mappings.size() - 1).read(xml);
      }
    }
    return mappings;
  }
}
