// report/report.h: scrl report: runs become one HTML file that needs no network and no server.
//
// Tables are HTML and can be read without a script. The script (report/) draws the 2-D embedding
// and curves from
//   <script id="facts" type="application/json">   names, epochs, and where each array lies
//   <script id="arrays" type="text/plain">        all arrays, zlib, base64 (report/report_blob.h)
#pragma once
#include <string>

#include "report/report_run.h"

namespace scrl {

// Whether the script is part of this program.
bool report_has_pictures();

std::string report_page(const ReportRequest& request);

}  // namespace scrl
