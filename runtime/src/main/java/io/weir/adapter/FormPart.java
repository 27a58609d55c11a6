package io.weir.adapter;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One part of a {@code multipart/form-data} body.
 *
 * @param name the name of the field
 * @param fileName the name of the file; empty for a plain field
 * @param headers the header fields of the part, by their names in lower case
 * @param content the bytes; nobody may change them
 * @param text the same as text, by the charset of the request, else UTF-8
 */
@SuppressWarnings("ArrayRecordComponent") // no part is compared with another
public record FormPart(
    String name,
    Optional<String> fileName,
    Map<String, List<String>> headers,
    byte[] content,
    String text) {}
