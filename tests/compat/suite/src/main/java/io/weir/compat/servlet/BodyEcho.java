package io.weir.compat.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.annotation.MultipartConfig;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;

/** Answers what it reads of the body, in the way that the query names. */
@MultipartConfig
class BodyEcho extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** The ways. */
  static final List<String> WAYS =
      List.of(
          "stream",
          "reader",
          "parameters",
          "listener",
          "forward",
          "async",
          "restarted",
          "thread",
          "restartedThread");

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    echo(request, response);
  }

  /** Answers a request, or dispatches it and answers then. */
  final void echo(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    String query = String.valueOf(request.getQueryString());
    String way = query.substring(query.lastIndexOf("way=") + 4);
    boolean isDispatched = request.getDispatcherType() != DispatcherType.REQUEST;
    switch (way) {
      case "stream" -> answer(response, text(request.getInputStream().readAllBytes()));
      case "reader" -> {
        StringBuilder all = new StringBuilder();
        for (int next = request.getReader().read(); next >= 0; next = request.getReader().read()) {
          all.append((char) next);
        }
        answer(response, all.toString());
      }
      case "parts" -> answer(response, parts(request));
      case "listener" -> listen(request, response);
      case "forward" -> {
        if (isDispatched) {
          answer(response, parameters(request));
        } else {
          request.getRequestDispatcher(request.getServletPath()).forward(request, response);
        }
      }
      case "thread" -> answerInThread(request.startAsync());
      case "restartedThread" -> answerInThread(request.startAsync(request, response));
      case "async", "restarted" -> {
        if (isDispatched) {
          answer(response, parameters(request));
        } else if (way.equals("async")) {
          request.startAsync().dispatch();
        } else {
          request.startAsync(request, response).dispatch();
        }
      }
      default -> answer(response, parameters(request));
    }
  }

  private static void answerInThread(AsyncContext context) {
    context.start(
        () -> {
          try {
            answer(
                (HttpServletResponse) context.getResponse(),
                parameters((HttpServletRequest) context.getRequest()));
          } catch (IOException failed) {
            throw new UncheckedIOException(failed);
          } finally {
            context.complete();
          }
        });
  }

  private static void answer(HttpServletResponse response, String text) throws IOException {
    response.setContentType("text/plain;charset=ISO-8859-1");
    response.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  private static String parameters(HttpServletRequest request) {
    TreeMap<String, List<String>> all = new TreeMap<>();
    for (String name : Collections.list(request.getParameterNames())) {
      all.put(name, Arrays.asList(request.getParameterValues(name)));
    }
    return all.toString();
  }

  private static String parts(HttpServletRequest request) throws IOException, ServletException {
    List<String> all = new ArrayList<>();
    for (Part each : request.getParts()) {
      all.add(
          each.getName()
              + "|"
              + each.getSubmittedFileName()
              + "|"
              + each.getContentType()
              + "|"
              + each.getSize()
              + "|"
              + text(each.getInputStream().readAllBytes()));
    }
    Part user = request.getPart("user");
    return all + "|" + (user == null ? null : user.getHeader("Content-Disposition"));
  }

  private static void listen(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    AsyncContext context = request.startAsync();
    ServletInputStream in = request.getInputStream();
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    in.setReadListener(
        new ReadListener() {
          @Override
          public void onDataAvailable() throws IOException {
            byte[] some = new byte[7];
            while (in.isReady() && !in.isFinished()) {
              int read = in.read(some);
              if (read > 0) {
                all.write(some, 0, read);
              }
            }
          }

          @Override
          public void onAllDataRead() throws IOException {
            answer(response, text(all.toByteArray()));
            context.complete();
          }

          @Override
          public void onError(Throwable failure) {
            context.complete();
          }
        });
  }
}
